// Counts the symbols of parts of a text.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "base/packed.hpp"

namespace gsx {

/// Occurrences of each code.
using CodeCounts = std::array<std::uint64_t, 256>;

/// Adds the codes [begin, end) of 2 bits. Cost: some 0.1 ns per code.
inline void count_bases(const PackedView& codes, std::uint64_t begin, std::uint64_t end,
                        CodeCounts& counts) {
  constexpr std::uint64_t at_once = 28, low_bits = 0x5555555555555555;
  const auto add = [&](std::uint64_t window, std::uint64_t size) {
    window &= ~std::uint64_t{0} << (64 - 2 * size);
    const std::uint64_t low = window & low_bits, high = window >> 1 & low_bits;
    const auto number = [](std::uint64_t bits) {
      return static_cast<std::uint64_t>(std::popcount(bits));
    };
    const std::uint64_t c = number(low & ~high), g = number(high & ~low), t = number(low & high);
    counts[1] += c;
    counts[2] += g;
    counts[3] += t;
    counts[0] += size - c - g - t;
  };
  for (; begin + at_once <= end; begin += at_once)
    add(codes.window(begin), at_once);
  if (begin < end) add(codes.window(begin), end - begin);
}

/// Counts codes of any width. Cost: some 1 ns per code.
inline void count_codes(const PackedView& codes, std::uint64_t begin, std::uint64_t end,
                        CodeCounts& counts) {
  if (codes.bits == 2) return count_bases(codes, begin, end, counts);
  for (; begin < end; ++begin)
    ++counts[codes[begin] & 0xFF];
}

}  // namespace gsx
