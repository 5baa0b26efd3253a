#include "analysis/mappability/kmer_tracks.hpp"

#include <algorithm>
#include <limits>
#include <span>

#include "base/error.hpp"

namespace gsx {
namespace {

constexpr std::uint64_t at_once = 4096;
constexpr float no_value = std::numeric_limits<float>::quiet_NaN();

float reciprocal(std::uint64_t frequency) {
  return frequency == 0 ? no_value : static_cast<float>(1 / static_cast<double>(frequency));
}

}  // namespace

float KmerTrack::covered(std::uint64_t unique) const {
  if (unique == 0) return no_value;
  if (value_ == KmerValue::umap_single) return 1;
  return static_cast<float>(static_cast<double>(unique) / static_cast<double>(k_));
}

KmerTrack::KmerTrack(const RecordSegments& text, const FrequencyCodes& codes, std::uint64_t k,
                     KmerValue value, std::uint64_t cap)
    : text_(text), codes_(codes), k_(k), value_(value), cap_(cap) {
  if (value == KmerValue::frequency && cap >= no_count && codes.largest() >= no_count) {
    throw RuntimeError("a k-mer occurs " + std::to_string(codes.largest()) +
                       " times, which is more than a track of frequencies holds; use --cap");
  }
  if (value != KmerValue::mappability || !codes.narrow()) return;
  table_.resize(std::size_t{1} << 16);
  for (std::uint32_t code = 0; code < codes.codes(); ++code)
    table_[code] = reciprocal(capped(codes.frequency(code)));
}

void KmerTrack::fill(const TrackRange& range, PieceRuns& runs) const {
  const bool umap = value_ == KmerValue::umap_single || value_ == KmerValue::umap_multi;
  text_.for_each(range, [&](std::uint64_t begin, std::uint64_t end, std::uint64_t offset) {
    if (umap) {
      add_umap(begin, end, offset, runs);
    } else {
      add_values(begin, end, offset, runs);
    }
  });
}

void KmerTrack::add_values(std::uint64_t begin, std::uint64_t end, std::uint64_t offset,
                           PieceRuns& runs) const {
  codes_.visit([&]<class Code>(const Code* codes) {
    if constexpr (sizeof(Code) == 2) {
      if (value_ == KmerValue::mappability)
        return runs.add_codes(offset, std::span(codes + begin, end - begin), table_);
    }
    float values[at_once];
    std::uint32_t counts[at_once];
    for (; begin < end; begin += at_once, offset += at_once) {
      const std::uint64_t count = std::min(at_once, end - begin);
      for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t frequency = capped(codes_.frequency(codes[begin + i]));
        values[i] = reciprocal(frequency);
        counts[i] = frequency == 0 ? no_count : static_cast<std::uint32_t>(frequency);
      }
      if (value_ == KmerValue::frequency) {
        runs.add_counts(offset, {counts, count});
      } else {
        runs.add_values(offset, {values, count});
      }
    }
  });
}

void KmerTrack::add_umap(std::uint64_t begin, std::uint64_t end, std::uint64_t offset,
                         PieceRuns& runs) const {
  // A k-mer that covers a position of a segment begins in it.
  const std::uint64_t segment = text_.segments.segment_at(begin);
  const std::uint64_t first = text_.segments.starts[segment];
  codes_.visit([&](const auto* codes) {
    const auto unique = [&](std::uint64_t p) -> std::uint64_t { return codes[p] == 1 ? 1 : 0; };
    std::uint64_t covering = 0;  // unique k-mers that begin in [p - k, p), then in (p - k, p]
    for (std::uint64_t p = std::max(first + k_, begin) - k_; p < begin; ++p)
      covering += unique(p);
    float values[at_once];
    for (std::uint64_t p = begin; p < end;) {
      const std::uint64_t count = std::min(at_once, end - p);
      for (std::uint64_t i = 0; i < count; ++i, ++p) {
        covering += unique(p);
        if (p >= first + k_) covering -= unique(p - k_);
        values[i] = covered(covering);
      }
      runs.add_values(offset, {values, count});
      offset += count;
    }
  });
}

}  // namespace gsx
