// Pairs of suffixes that are found in the rows of a suffix array.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "arrays/minima/growing_array.hpp"
#include "base/bits.hpp"
#include "base/memory_growth.hpp"
#include "base/parallel.hpp"

namespace gsx {

/// Positions and their partners, in the order in which they came. Memory: 8 bytes per pair, 16 of
/// wide positions.
template <class Pos>
class SuffixPairs {
 public:
  std::uint64_t size() const { return positions_.size(); }
  std::uint64_t bytes() const { return size() * 2 * sizeof(Pos); }
  std::span<Pos> positions() { return positions_.span(); }
  std::span<const Pos> positions() const { return positions_.span(); }
  std::span<Pos> partners() { return partners_.span(); }
  std::span<const Pos> partners() const { return partners_.span(); }

  void push(Pos position, Pos partner) {
    positions_.push(position);
    partners_.push(partner);
  }
  void append(const SuffixPairs& others) {
    positions_.append(others.positions());
    partners_.append(others.partners());
  }
  /// Removes all pairs, and keeps the memory.
  void clear() {
    positions_.clear();
    partners_.clear();
  }
  /// Gives back the memory of the positions.
  void drop_positions() { positions_ = {}; }

  /// Calls find(first, last, pairs) for slices of rows [begin, end), on threads, and adds what it
  /// adds to `pairs`, in the order of the slices.
  template <class Find>
  void add_slices(std::uint64_t begin, std::uint64_t end, int threads, MemoryGrowth& growth,
                  const Find& find) {
    constexpr std::uint64_t rows = std::uint64_t{1} << 16;
    const auto at_once = static_cast<std::uint64_t>(threads) * 2;
    std::vector<SuffixPairs> found(std::min(at_once, divide_up(end - begin, rows)));
    for (; begin < end; begin += at_once * rows) {
      const std::uint64_t slices = std::min(at_once, divide_up(end - begin, rows));
      parallel_for(threads, slices, [&](std::uint64_t s, int) {
        const std::uint64_t first = begin + s * rows;
        find(first, std::min(end, first + rows), found[s]);
      });
      for (SuffixPairs& some : found) {
        append(some);
        some.clear();
      }
      growth.grown_to(bytes());
    }
  }

 private:
  GrowingArray<Pos> positions_, partners_;
};

}  // namespace gsx
