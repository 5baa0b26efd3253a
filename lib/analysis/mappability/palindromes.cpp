#include "analysis/mappability/palindromes.hpp"

#include <algorithm>

#include "base/beside.hpp"
#include "base/bits.hpp"
#include "base/parallel.hpp"
#include "index/lcp/common_prefix.hpp"

namespace gsx {

template <class Pos>
Palindromes<Pos>::Palindromes(const BothStrandsView& text, int threads,
                              const std::function<void()>& meanwhile,
                              std::atomic<std::uint64_t>* coming)
    : begins_(text.half, "palindromes"), minima_(begins_.span(), Unfilled()) {
  std::atomic<std::uint64_t> nobody_asks = 0;
  std::atomic<std::uint64_t>& unwritten = coming != nullptr ? *coming : nobody_asks;
  constexpr std::uint64_t unit = RangeMinima<Pos>::fill_unit;
  unwritten = begins_.bytes() + minima_.bytes();
  const std::uint64_t unit_bytes =
      unwritten / divide_up(std::max<std::uint64_t>(text.half, 1), unit);
  const std::uint64_t slices = static_cast<std::uint64_t>(threads) * 4;
  const SegmentsView& segments = text.text.segments;
  const auto find_slice = [&](std::uint64_t s) {
    const Slice slice = slice_of(text.half, slices, s, unit);
    for (std::uint64_t begin = slice.begin; begin < slice.end;) {
      const std::uint64_t separator = segments.separator_from(begin);
      find(text, begin, std::min(slice.end, separator + 1));
      begin = separator + 1;
    }
    if (slice.begin == slice.end) return;
    minima_.fill(slice.begin, slice.end);
    unwritten -= unit_bytes * divide_up(slice.end - slice.begin, unit);
  };
  run_beside(threads, threads - 1, slices, find_slice, [&] {
    if (meanwhile) meanwhile();
  });
  minima_.finish();
  unwritten = 0;
}

/// Finds those with centres [begin, end), which are in one segment.
template <class Pos>
void Palindromes<Pos>::find(const BothStrandsView& text, std::uint64_t begin, std::uint64_t end) {
  const TextView& all = text.text;
  const std::uint64_t segment = all.segments.segment_at(begin);
  const std::uint64_t first = all.segments.starts[segment];
  const std::uint64_t separator = all.segments.starts[segment + 1] - 1;
  // The known one that reaches farthest to the right.
  std::uint64_t known_centre = begin, known_end = begin;
  for (std::uint64_t c = begin; c < end; ++c) {
    std::uint64_t radius = 0;
    const bool mirrored = c < known_end && 2 * known_centre >= begin + c;
    if (mirrored) {
      const std::uint64_t twin = 2 * known_centre - c;
      radius = std::min(twin - begins_[twin], known_end - c);
    }
    if (!mirrored || c + radius == known_end) {
      const std::uint64_t most = std::min(c - first, separator - c);
      // The reverse complement of symbols c - 1, c - 2, ... begins there in the second half.
      const std::uint64_t reverse = text.half + first + (separator - c);
      radius = common_symbols(all.symbols, c, reverse, std::min(radius, most), most);
      if (c + radius >= known_end) {
        known_centre = c;
        known_end = c + radius;
      }
    }
    begins_[c] = static_cast<Pos>(c - radius);
  }
}

template class Palindromes<std::uint32_t>;
template class Palindromes<std::uint64_t>;

}  // namespace gsx
