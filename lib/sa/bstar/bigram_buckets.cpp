#include "sa/bstar/bigram_buckets.hpp"

#include <algorithm>

#include "base/parallel.hpp"

namespace gsx {
namespace {

/// Adds the pairs at positions [slice.begin, slice.end) to `pairs`. Longer stretches of symbols are
/// counted, fewer of them, and taken apart at the end.
void add_pairs(const PackedView& symbols, Slice slice, std::vector<std::uint64_t>& pairs) {
  const std::uint32_t bits = symbols.bits;
  const std::uint64_t stretch = std::max<std::uint64_t>(2, 16 / bits);
  const int shift = 64 - static_cast<int>(stretch * bits);
  const std::uint64_t pair_mask = pairs.size() - 1;
  std::vector<std::uint64_t> counts(std::uint64_t{1} << (stretch * bits), 0);
  std::uint64_t p = slice.begin;
  for (; p + stretch <= slice.end; p += stretch - 1)
    ++counts[symbols.window(p) >> shift];
  for (; p < slice.end; ++p)
    ++pairs[symbols.window(p) >> (64 - 2 * bits)];
  for (std::uint64_t i = 0; i < counts.size(); ++i) {
    for (std::uint64_t j = 0; counts[i] != 0 && j + 1 < stretch; ++j)
      pairs[i >> j * bits & pair_mask] += counts[i];
  }
}

}  // namespace

BigramBuckets BigramBuckets::of(const TextView& text, int threads) {
  const std::uint32_t bits = text.symbols.bits;
  const std::uint64_t pairs = std::uint64_t{1} << 2 * bits;
  std::vector<std::vector<std::uint64_t>> counts(static_cast<std::size_t>(threads));
  // What the last separator is followed by is no symbol.
  const std::uint64_t last = std::max<std::uint64_t>(1, text.length()) - 1;
  parallel_for(threads, counts.size(), [&](std::uint64_t s, int) {
    counts[s].assign(pairs, 0);
    add_pairs(text.symbols, slice_of(last, counts.size(), s), counts[s]);
  });
  const SegmentsView& segments = text.segments;
  for (std::uint64_t k = 1; k < segments.count; ++k)
    --counts[0][text.symbols.window(segments.starts[k] - 1) >> (64 - 2 * bits)];
  BigramBuckets made{bits, std::vector<std::uint64_t>(pairs + 1, segments.count)};
  for (std::uint64_t i = 0; i < pairs; ++i) {
    made.starts[i + 1] = made.starts[i];
    for (const auto& part : counts)
      made.starts[i + 1] += part[i];
  }
  return made;
}

}  // namespace gsx
