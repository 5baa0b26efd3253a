#include "output/tracks/piece_runs.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "base/error.hpp"

namespace gsx {
namespace {

constexpr std::size_t block = 64;  ///< positions that are skipped together if their values repeat

/// Whether the bits are those of a NaN.
bool is_nan(std::uint32_t bits) {
  return (bits & 0x7FFFFFFF) > 0x7F800000;
}

/// What codes are compared by. Of floats, their bits: unlike NaN as a number, they equal
/// themselves.
template <class Code>
Code compared(Code code) {
  return code;
}
std::uint32_t compared(float value) {
  return std::bit_cast<std::uint32_t>(value);
}

/// Whether `block` codes equal that before the first of them. The compiler makes vectors of this.
template <class Code>
bool repeats(const Code* codes) {
  using Bits = decltype(compared(*codes));
  Bits differences = 0;
  for (std::size_t i = 0; i < block; ++i)
    differences |= static_cast<Bits>(compared(codes[i]) ^ compared(codes[i - 1]));
  return differences == 0;
}

/// Calls take(i) for each i in [1, count) where codes[i] differs from the one before. Finds the
/// places of a block without branches first: where runs are short, a branch per position would be
/// mispredicted per run.
template <class Code, class Take>
void for_each_change(const Code* codes, std::size_t count, const Take& take) {
  std::array<std::uint32_t, block> places;
  for (std::size_t at = 1; at < count;) {
    const std::size_t left = std::min(block, count - at);
    if (left == block && repeats(codes + at)) {
      at += block;
      continue;
    }
    std::size_t changes = 0;
    for (std::size_t i = at; i < at + left; ++i) {
      places[changes] = static_cast<std::uint32_t>(i);
      changes += compared(codes[i]) != compared(codes[i - 1]) ? 1 : 0;
    }
    for (std::size_t i = 0; i < changes; ++i)
      take(places[i]);
    at += left;
  }
}

}  // namespace

void PieceRuns::clear() {
  parts_.clear();
  runs_.clear();
}

void PieceRuns::begin(const TrackRange& range) {
  parts_.push_back({range, runs_.size()});
  added_ = range.begin;
}

std::span<const TrackRun> PieceRuns::runs_of(std::size_t part) const {
  const std::size_t end = part + 1 < parts_.size() ? parts_[part + 1].first : runs_.size();
  return std::span(runs_).subspan(parts_[part].first, end - parts_[part].first);
}

void PieceRuns::require(std::uint64_t begin, std::uint64_t end, TrackKind kind) {
  if (kind != kind_) throw RuntimeError("a track has either floats or counts, not both");
  if (parts_.empty() || begin < added_ || end < begin || end > parts_.back().range.end)
    throw RuntimeError("the values of positions " + std::to_string(begin) + " to " +
                       std::to_string(end) + " of a track are out of order");
  added_ = end;
}

void PieceRuns::push(std::uint32_t begin, std::uint32_t end, std::uint32_t bits) {
  if (kind_ == TrackKind::real) {
    if (is_nan(bits)) return;
    if (bits == std::bit_cast<std::uint32_t>(-0.0F)) bits = 0;
  } else if (bits == no_count) {
    return;
  }
  if (runs_.size() > parts_.back().first) {
    TrackRun& last = runs_.back();
    if (last.end == begin && last.bits == bits) {
      last.end = end;
      return;
    }
  }
  runs_.push_back({begin, end, bits});
}

template <class Code, class BitsOf>
void PieceRuns::add_array(std::uint64_t begin, std::span<const Code> codes, const BitsOf& bits_of) {
  if (codes.empty()) return;
  const auto base = static_cast<std::uint32_t>(begin - parts_.back().range.begin);
  std::uint32_t first = 0;  // of the run that is open
  for_each_change(codes.data(), codes.size(), [&](std::uint32_t place) {
    push(base + first, base + place, bits_of(codes[first]));
    first = place;
  });
  push(base + first, base + static_cast<std::uint32_t>(codes.size()), bits_of(codes[first]));
}

void PieceRuns::add(std::uint64_t begin, std::uint64_t end, float value) {
  require(begin, end, TrackKind::real);
  const std::uint64_t base = parts_.back().range.begin;
  push(static_cast<std::uint32_t>(begin - base), static_cast<std::uint32_t>(end - base),
       std::bit_cast<std::uint32_t>(value));
}

void PieceRuns::add_count(std::uint64_t begin, std::uint64_t end, std::uint32_t value) {
  require(begin, end, TrackKind::count);
  const std::uint64_t base = parts_.back().range.begin;
  push(static_cast<std::uint32_t>(begin - base), static_cast<std::uint32_t>(end - base), value);
}

void PieceRuns::add_values(std::uint64_t begin, std::span<const float> values) {
  require(begin, begin + values.size(), TrackKind::real);
  add_array(begin, values, [](float value) { return std::bit_cast<std::uint32_t>(value); });
}

void PieceRuns::add_counts(std::uint64_t begin, std::span<const std::uint32_t> values) {
  require(begin, begin + values.size(), TrackKind::count);
  add_array(begin, values, [](std::uint32_t same) { return same; });
}

void PieceRuns::add_codes(std::uint64_t begin, std::span<const std::uint8_t> codes,
                          std::span<const float> table) {
  require(begin, begin + codes.size(), TrackKind::real);
  add_array(begin, codes,
            [&](std::uint8_t code) { return std::bit_cast<std::uint32_t>(table[code]); });
}

void PieceRuns::add_codes(std::uint64_t begin, std::span<const std::uint16_t> codes,
                          std::span<const float> table) {
  require(begin, begin + codes.size(), TrackKind::real);
  add_array(begin, codes,
            [&](std::uint16_t code) { return std::bit_cast<std::uint32_t>(table[code]); });
}

void PieceRuns::add_codes(std::uint64_t begin, std::span<const std::uint32_t> codes,
                          std::span<const float> table) {
  require(begin, begin + codes.size(), TrackKind::real);
  add_array(begin, codes,
            [&](std::uint32_t code) { return std::bit_cast<std::uint32_t>(table[code]); });
}

}  // namespace gsx
