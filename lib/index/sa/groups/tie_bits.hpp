// One bit per row of a suffix array under construction: is the row tied with the row above it?
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>

#include "base/buffer.hpp"
#include "base/parallel.hpp"

namespace gsx {

/// Bit r is set while the suffixes of rows r - 1 and r compare equal as far as they have been
/// compared. A group is a maximal run of set bits together with the row before it, its head.
/// Several threads may mark groups at the same time. Price: 1 bit per row.
class TieBits {
 public:
  explicit TieBits(std::uint64_t rows) : words_((rows + 63) / 64 + 1, "tie bits") { clear(); }
  void clear() { std::memset(words_.data(), 0, words_.bytes()); }

  bool tied(std::uint64_t row) const { return (words_[row / 64] >> (row % 64) & 1) != 0; }

  /// Makes rows [begin, end) one group. Pre: no other thread marks any of these rows.
  void mark_group(std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t row = begin + 1; row < end;) {
      const std::uint64_t stop = std::min(end, (row / 64 + 1) * 64);
      const std::uint64_t bits = mask(row % 64, stop - row);
      std::atomic_ref(words_[row / 64]).fetch_or(bits, std::memory_order_relaxed);
      row = stop;
    }
  }

  /// Number of set bits.
  std::uint64_t count(int threads) const {
    std::atomic<std::uint64_t> total{0};
    const std::uint64_t slices = static_cast<std::uint64_t>(threads) * 4;
    parallel_for(threads, slices, [&](std::uint64_t s, int) {
      const Slice slice = slice_of(words_.size(), slices, s);
      std::uint64_t sum = 0;
      for (std::uint64_t w = slice.begin; w < slice.end; ++w) {
        sum += static_cast<std::uint64_t>(std::popcount(words_[w]));
      }
      total += sum;
    });
    return total;
  }

  /// The head of the group that holds `row`, or `row` itself when it is in no group.
  std::uint64_t head_of(std::uint64_t row) const {
    std::uint64_t word = row / 64;
    std::uint64_t free = ~words_[word] & mask(0, row % 64 + 1);
    while (free == 0)
      free = ~words_[--word];
    return word * 64 + 63 - static_cast<std::uint64_t>(std::countl_zero(free));
  }

  /// Calls on_group(begin, end) for each group whose head is in rows [slice.begin, slice.end).
  template <class OnGroup>
  void for_each_group(Slice slice, OnGroup&& on_group) const {
    for_each_bit(
        slice, [this](std::uint64_t w) { return ~words_[w] & next_bits(w); },
        [&](std::uint64_t head) { on_group(head, end_of(head + 1)); });
  }
  /// Calls on_row(row) for each row of [slice.begin, slice.end) that is in a group.
  template <class OnRow>
  void for_each_row(Slice slice, OnRow&& on_row) const {
    for_each_bit(
        slice, [this](std::uint64_t w) { return words_[w] | next_bits(w); }, on_row);
  }

 private:
  static std::uint64_t mask(std::uint64_t first, std::uint64_t count) {
    return (count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1) << first;
  }
  /// Bit i says whether the row after row i of this word is tied.
  std::uint64_t next_bits(std::uint64_t w) const {
    return words_[w] >> 1 | (w + 1 < words_.size() ? words_[w + 1] << 63 : 0);
  }
  /// The first row from `row` on that is not tied.
  std::uint64_t end_of(std::uint64_t row) const {
    std::uint64_t word = row / 64;
    std::uint64_t free = ~words_[word] & ~mask(0, row % 64);
    while (free == 0)
      free = ~words_[++word];
    return word * 64 + static_cast<std::uint64_t>(std::countr_zero(free));
  }
  template <class BitsOf, class OnBit>
  static void for_each_bit(Slice slice, const BitsOf& bits_of, const OnBit& on_bit) {
    for (std::uint64_t row = slice.begin; row < slice.end;) {
      const std::uint64_t stop = std::min(slice.end, (row / 64 + 1) * 64);
      std::uint64_t bits = bits_of(row / 64) & mask(row % 64, stop - row);
      for (; bits != 0; bits &= bits - 1) {
        on_bit(row / 64 * 64 + static_cast<std::uint64_t>(std::countr_zero(bits)));
      }
      row = stop;
    }
  }

  Buffer<std::uint64_t> words_;
};

}  // namespace gsx
