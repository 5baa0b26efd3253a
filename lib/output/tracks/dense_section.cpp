#include "output/tracks/dense_section.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>

#include "output/tracks/bigwig_format.hpp"

namespace gsx {

bool DenseSection::take(const SectionsView& sections, const TrackSection& section, TrackKind kind) {
  std::uint64_t begin = 0, end = 0, first_length = 0;
  sections.for_each_part(
      section, [&](std::uint64_t base, std::span<const TrackRun> runs, std::uint64_t stretch) {
        if (end == 0) {
          begin = base + runs.front().begin;
          first_length = runs.front().end + stretch - runs.front().begin;
        }
        end = base + runs.back().end + stretch;
      });
  if (end - begin >= most_words_per_run * std::uint64_t{section.count}) return false;
  begin_ = static_cast<std::uint32_t>(begin);
  size_ = static_cast<std::uint32_t>(end - begin);
  // A run is written over by the next one where it is shorter than what is written of it.
  float* const to = values_.data() + header_words;
  std::uint32_t at = 0, gaps = 0, differences = 0;
  sections.for_each_part(
      section, [&](std::uint64_t base, std::span<const TrackRun> runs, std::uint64_t stretch) {
        const auto from = static_cast<std::uint32_t>(base - begin);
        for (const TrackRun& run : runs) {
          const float value = kind == TrackKind::count ? static_cast<float>(run.bits)
                                                       : std::bit_cast<float>(run.bits);
          const auto length = static_cast<std::uint32_t>(run.end - run.begin + stretch);
          gaps |= (from + run.begin) ^ at;
          differences |= length ^ static_cast<std::uint32_t>(first_length);
          std::fill_n(to + at, short_run, value);
          if (length > short_run) std::fill_n(to + at + short_run, length - short_run, value);
          at += length;
        }
      });
  return gaps == 0 && differences != 0;
}

std::string_view DenseSection::words(std::uint32_t id) {
  const std::uint32_t kind =
      static_cast<std::uint32_t>(bigwig::SectionType::fixed_step) | size_ << 16;
  const std::array<std::uint32_t, header_words> header{id, begin(), end(), 1, 1, kind};
  std::memcpy(values_.data(), header.data(), sizeof header);
  return {reinterpret_cast<const char*>(values_.data()), (header_words + size_) * sizeof(float)};
}

void DenseSection::append_bins(std::vector<ZoomRecord>& zooms, std::uint32_t shift,
                               std::uint32_t id) const {
  for (std::uint32_t first = 0; first < size_;) {
    const std::uint64_t bin_end = ((std::uint64_t{begin_ + first} >> shift) + 1) << shift;
    const auto count = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(bin_end - begin_ - first, size_ - first));
    zooms.push_back(statistics(id, first, count));
    first += count;
  }
}

/// Statistics of `count` positions from number `first` on.
ZoomRecord DenseSection::statistics(std::uint32_t id, std::uint32_t first,
                                    std::uint32_t count) const {
  constexpr std::uint32_t lanes = 4;  // added up apart, so that the compiler makes vectors of them
  const float* const from = values() + first;
  const std::uint32_t whole = count / lanes * lanes;
  std::array<float, lanes> least, most;
  least.fill(from[0]);
  most.fill(from[0]);
  std::array<double, lanes> sums{}, squares{};
  for (std::uint32_t i = 0; i < whole; i += lanes) {
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      const float value = from[i + lane];
      const double wide = value;
      least[lane] = value < least[lane] ? value : least[lane];
      most[lane] = value > most[lane] ? value : most[lane];
      sums[lane] += wide;
      squares[lane] += wide * wide;
    }
  }
  const std::uint32_t begin = begin_ + first;
  ZoomRecord all{id,
                 begin,
                 begin + count,
                 count,
                 *std::ranges::min_element(least),
                 *std::ranges::max_element(most),
                 (sums[0] + sums[1]) + (sums[2] + sums[3]),
                 (squares[0] + squares[1]) + (squares[2] + squares[3])};
  for (std::uint32_t i = whole; i < count; ++i) {
    const double wide = from[i];
    all.least = std::min(all.least, from[i]);
    all.most = std::max(all.most, from[i]);
    all.sum += wide;
    all.squares += wide * wide;
  }
  return all;
}

}  // namespace gsx
