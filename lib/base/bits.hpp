// Small integer arithmetic for the host.
#pragma once

#include <bit>
#include <cstdint>

namespace gsx {

/// Number of bits up to the highest set bit, inclusive: 0 for 0, at most 64.
constexpr int bit_length(std::uint64_t x) {
  return 64 - std::countl_zero(x);
}

/// Bits that hold every value in [0, max]; at least 1.
constexpr std::uint32_t bits_for(std::uint64_t max) {
  return max == 0 ? 1 : static_cast<std::uint32_t>(bit_length(max));
}

/// a / b, rounded up. Pre: b > 0 and a + b does not overflow.
constexpr std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) {
  return (a + b - 1) / b;
}

}  // namespace gsx
