#include "index/sa/bstar/bigram_buckets.hpp"

#include <algorithm>

#include "base/parallel.hpp"

namespace gsx {
namespace {

/// Adds the bigrams at positions [slice.begin, slice.end) to `bigrams`. Counts longer words of the
/// text, which are fewer, and splits the counts into bigrams at the end.
void add_bigrams(const PackedView& symbols, Slice slice, std::vector<std::uint64_t>& bigrams) {
  const std::uint32_t bits = symbols.bits;
  const std::uint64_t word = std::max<std::uint64_t>(2, 16 / bits);
  const int shift = 64 - static_cast<int>(word * bits);
  const std::uint64_t bigram_mask = bigrams.size() - 1;
  std::vector<std::uint64_t> counts(std::uint64_t{1} << (word * bits), 0);
  std::uint64_t p = slice.begin;
  for (; p + word <= slice.end; p += word - 1)
    ++counts[symbols.window(p) >> shift];
  for (; p < slice.end; ++p)
    ++bigrams[symbols.window(p) >> (64 - 2 * bits)];
  for (std::uint64_t i = 0; i < counts.size(); ++i) {
    for (std::uint64_t j = 0; counts[i] != 0 && j + 1 < word; ++j)
      bigrams[i >> j * bits & bigram_mask] += counts[i];
  }
}

}  // namespace

BigramBuckets BigramBuckets::of(const TextView& text, int threads) {
  const std::uint32_t bits = text.symbols.bits;
  const std::uint64_t bigrams = std::uint64_t{1} << 2 * bits;
  std::vector<std::vector<std::uint64_t>> counts(static_cast<std::size_t>(threads));
  // No symbol follows the last separator.
  const std::uint64_t last = std::max<std::uint64_t>(1, text.length()) - 1;
  parallel_for(threads, counts.size(), [&](std::uint64_t s, int) {
    counts[s].assign(bigrams, 0);
    add_bigrams(text.symbols, slice_of(last, counts.size(), s), counts[s]);
  });
  const SegmentsView& segments = text.segments;
  for (std::uint64_t k = 1; k < segments.count; ++k)
    --counts[0][text.symbols.window(segments.starts[k] - 1) >> (64 - 2 * bits)];
  BigramBuckets made{bits, std::vector<std::uint64_t>(bigrams + 1, segments.count)};
  for (std::uint64_t i = 0; i < bigrams; ++i) {
    made.starts[i + 1] = made.starts[i];
    for (const auto& part : counts)
      made.starts[i + 1] += part[i];
  }
  return made;
}

}  // namespace gsx
