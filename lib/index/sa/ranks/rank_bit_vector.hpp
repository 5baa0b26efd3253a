// A set of text positions with rank queries.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>

#include "base/buffer.hpp"

namespace gsx {

/// One bit per position of [0, size), with counts between them. Price: 1.33 bits per position.
class RankBitVector {
 public:
  /// Positions in one block. Different threads may mark slices that are cut at its multiples.
  static constexpr std::uint64_t slice_unit = 192;

  /// Marks nothing.
  explicit RankBitVector(std::uint64_t size) : blocks_(size / slice_unit + 1, "syncmer bits") {
    std::fill(blocks_.begin(), blocks_.end(), Block{});
  }

  /// Marks p; other threads may mark positions of the same block at the same time.
  void mark_shared(std::uint64_t p) {
    const std::uint64_t i = p % slice_unit;
    const std::atomic_ref word(blocks_[p / slice_unit].words[i / 64]);
    word.fetch_or(std::uint64_t{1} << i % 64, std::memory_order_relaxed);
  }
  void mark(std::uint64_t p) {
    const std::uint64_t i = p % slice_unit;
    blocks_[p / slice_unit].words[i / 64] |= std::uint64_t{1} << i % 64;
  }
  /// Call it once, after the last mark(): returns the number of marks and makes rank() valid.
  std::uint64_t count() {
    std::uint64_t total = 0;
    for (Block& block : blocks_) {
      block.before = total;
      for (const std::uint64_t word : block.words)
        total += static_cast<std::uint64_t>(std::popcount(word));
    }
    return total;
  }

  /// Whether p is marked.
  bool marked(std::uint64_t p) const {
    const std::uint64_t i = p % slice_unit;
    return (blocks_[p / slice_unit].words[i / 64] >> i % 64 & 1) != 0;
  }
  /// Marks in [0, p). Pre: p < size. Cost: one cache line.
  std::uint64_t rank(std::uint64_t p) const {
    const Block& block = blocks_[p / slice_unit];
    const std::uint64_t i = p % slice_unit;
    std::uint64_t rank = block.before;
    for (std::uint64_t w = 0; w < i / 64; ++w)
      rank += static_cast<std::uint64_t>(std::popcount(block.words[w]));
    const std::uint64_t below = (std::uint64_t{1} << i % 64) - 1;
    return rank + static_cast<std::uint64_t>(std::popcount(block.words[i / 64] & below));
  }

  /// Asks for the memory that rank(p) reads.
  void prefetch(std::uint64_t p) const { __builtin_prefetch(&blocks_[p / slice_unit]); }

  /// Calls on_mark(p) for each marked p in [begin, end), in order.
  template <class OnMark>
  void for_each(std::uint64_t begin, std::uint64_t end, const OnMark& on_mark) const {
    for (std::uint64_t w = begin / 64; w * 64 < end; ++w) {
      const std::uint64_t first = w * 64;
      std::uint64_t bits = blocks_[w / words].words[w % words];
      if (first < begin) bits &= ~std::uint64_t{0} << (begin - first);
      for (; bits != 0; bits &= bits - 1) {
        const std::uint64_t p = first + static_cast<std::uint64_t>(std::countr_zero(bits));
        if (p >= end) return;
        on_mark(p);
      }
    }
  }

 private:
  static constexpr std::uint64_t words = slice_unit / 64;
  struct alignas(32) Block {
    std::uint64_t before;
    std::uint64_t words[slice_unit / 64];
  };

  Buffer<Block> blocks_;
};

}  // namespace gsx
