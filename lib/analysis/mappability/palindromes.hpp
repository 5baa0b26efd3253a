// The stretches of a DNA text that are their own reverse complement.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

#include "arrays/minima/range_minima.hpp"
#include "base/buffer.hpp"
#include "text/both_strands.hpp"

namespace gsx {

/// All places of strings that are their own reverse complement, of any even length. Such strings of
/// one centre lie in one another; this keeps where the longest of each centre begins.
/// Memory: 4.4 bytes per symbol of one strand (8.8 from 2^32 symbols on).
template <class Pos>
class Palindromes {
 public:
  Palindromes() = default;
  /// Cost: O(n) for each thread at most, 5 ns per base of a genome (Manacher, A new linear-time
  /// on-line algorithm for finding the smallest initial palindrome of a string, J. ACM 1975).
  /// Calls `meanwhile` on this thread, while others work, and throws what it throws. All memory is
  /// taken before; *coming, if that is not null, is how much of it is yet to be written.
  Palindromes(const BothStrandsView& text, int threads, const std::function<void()>& meanwhile = {},
              std::atomic<std::uint64_t>* coming = nullptr);

  /// Calls on_length(k), k increasing, for each k of (least, most] for which the k symbols at p are
  /// their own reverse complement. Pre: they are in one segment for k = most. Cost: a load for each
  /// of the first centres, and beyond these a look-up in the hierarchy of minima per call and one
  /// more.
  template <class OnLength>
  void for_each_at(std::uint64_t p, std::uint64_t least, std::uint64_t most,
                   const OnLength& on_length) const {
    // Most calls ask for few centres, one beside the other, and a look-up goes on behind them.
    constexpr std::uint64_t few = 16;
    const std::uint64_t end = p + most / 2 + 1;
    std::uint64_t centre = p + least / 2 + 1;
    for (const std::uint64_t near = end < centre + few ? end : centre + few; centre < near;
         ++centre) {
      if (begins_[centre] <= p) on_length(2 * (centre - p));
    }
    const RangeMinimaView<Pos> begins = minima_.view();
    for (; centre < end; ++centre) {
      centre = begins.next_below(centre, static_cast<Pos>(p + 1));
      if (centre == begins.none || centre >= end) return;
      on_length(2 * (centre - p));
    }
  }

  /// Whether one reaches `radius` or more symbols from a centre in [begin, end), where there are
  /// centres. Cost: the compiler makes vectors of this.
  bool reach(std::uint64_t begin, std::uint64_t end, std::uint64_t radius) const {
    const std::uint64_t stop = end < begins_.size() ? end : begins_.size();
    bool any = false;
    for (std::uint64_t centre = begin; centre < stop; ++centre)
      any |= static_cast<Pos>(static_cast<Pos>(centre) - begins_[centre]) >= radius;
    return any;
  }

 private:
  using Unfilled = typename RangeMinima<Pos>::Unfilled;

  void find(const BothStrandsView& text, std::uint64_t begin, std::uint64_t end);

  /// Entry c: where the longest one begins that lies around the border of symbols c - 1 and c; c if
  /// there is none.
  Buffer<Pos> begins_;
  RangeMinima<Pos> minima_;
};

}  // namespace gsx
