#include "index/lcp/long_prefixes.hpp"

#include <algorithm>

#include "index/lcp/common_prefix.hpp"

namespace gsx {
namespace {

constexpr std::uint64_t slices_per_thread = 4;
/// Pairs whose memory is asked for before any of it is used.
constexpr std::uint64_t pairs_at_once = 32;

}  // namespace

template <class Pos>
LongPrefixes<Pos>::LongPrefixes(const TextView& text, std::span<const Pos> positions,
                                std::span<const Pos> partners, std::uint64_t known, int threads)
    : threads_(threads), marks_(text.length()), lengths_(positions.size(), "long common prefixes") {
  if (positions.empty()) return;
  each_slice(positions.size(), [&](Slice slice) {
    for (std::uint64_t i = slice.begin; i < slice.end; ++i) {
      marks_.prefetch(positions[std::min(i + pairs_at_once, slice.end - 1)]);
      marks_.mark_shared(positions[i]);
    }
  });
  marks_.count();
  each_place(positions,
             [&](std::uint64_t i, std::uint64_t place) { lengths_[place] = partners[i]; });
  each_slice(text.length(), [&](Slice slice) { measure(text, slice, known); });
}

template <class Pos>
void LongPrefixes<Pos>::measure(const TextView& text, Slice slice, std::uint64_t known) {
  Pos* next = lengths_.data() + marks_.rank(slice.begin);
  std::uint64_t end = 0;  // of the last common prefix
  marks_.for_each(slice.begin, slice.end, [&](std::uint64_t p) {
    const std::uint64_t still = end > p ? end - p : 0;
    const BoundedSuffix here(text, p);
    const std::uint64_t length = here.common_prefix(text.symbols, BoundedSuffix(text, *next),
                                                    std::max(still, known), here.length);
    end = p + length;
    *next++ = static_cast<Pos>(length);
  });
}

template <class Pos>
void LongPrefixes<Pos>::copy_lengths(std::span<const Pos> positions, std::span<Pos> lengths) const {
  each_place(positions,
             [&](std::uint64_t i, std::uint64_t place) { lengths[i] = lengths_[place]; });
}

template <class Pos>
template <class Work>
void LongPrefixes<Pos>::each_slice(std::uint64_t size, const Work& work) const {
  const std::uint64_t slices = static_cast<std::uint64_t>(threads_) * slices_per_thread;
  parallel_for(threads_, slices, [&](std::uint64_t s, int) {
    const Slice slice = slice_of(size, slices, s);
    if (slice.begin < slice.end) work(slice);
  });
}

/// Calls work(i, place of positions[i] in lengths_).
template <class Pos>
template <class Work>
void LongPrefixes<Pos>::each_place(std::span<const Pos> positions, const Work& work) const {
  each_slice(positions.size(), [&](Slice slice) {
    std::uint64_t places[pairs_at_once];
    for (std::uint64_t first = slice.begin; first < slice.end; first += pairs_at_once) {
      const std::uint64_t count = std::min(pairs_at_once, slice.end - first);
      for (std::uint64_t j = 0; j < count; ++j) {
        places[j] = marks_.rank(positions[first + j]);
        __builtin_prefetch(&lengths_[places[j]]);
        marks_.prefetch(positions[std::min(first + j + pairs_at_once, slice.end - 1)]);
      }
      for (std::uint64_t j = 0; j < count; ++j)
        work(first + j, places[j]);
    }
  });
}

template class LongPrefixes<std::uint32_t>;
template class LongPrefixes<std::uint64_t>;

}  // namespace gsx
