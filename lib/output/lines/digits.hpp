// Writes numbers in decimal.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace gsx {
namespace digits_detail {

/// The eight decimal digits of a number below 10^8, one per byte, the first in the lowest: all at
/// once, halves, then quarters, then single digits. Each division is by a multiplication that is
/// exact for numbers so small.
inline std::uint64_t eight_digits(std::uint32_t value) {
  std::uint64_t parts = value / 10000 | std::uint64_t{value % 10000} << 32;
  std::uint64_t high = (parts * 10486) >> 20 & 0x0000007F0000007F;  // of each part, / 100
  parts = ((parts - 100 * high) << 16) + high;
  high = (parts * 103) >> 10 & 0x000F000F000F000F;  // / 10
  return ((parts - 10 * high) << 8) + high;
}

inline constexpr std::uint64_t zeros = 0x3030303030303030;

}  // namespace digits_detail

/// Characters that put_number() may write, of which fewer are digits.
inline constexpr std::size_t most_digits = 24;

/// Writes a number's digits and returns their end. Pre: there is room for most_digits, of which
/// those behind the end may be written, too.
inline char* put_number(char* at, std::uint64_t value) {
  using namespace digits_detail;
  static_assert(std::endian::native == std::endian::little);
  if (value < 10) {
    *at = static_cast<char>('0' + value);
    return at + 1;
  }
  constexpr std::uint64_t limit = 100'000'000;
  if (value >= limit) {
    at = put_number(at, value / limit);
    const std::uint64_t rest = eight_digits(static_cast<std::uint32_t>(value % limit)) + zeros;
    std::memcpy(at, &rest, sizeof rest);
    return at + sizeof rest;
  }
  const std::uint64_t digits = eight_digits(static_cast<std::uint32_t>(value));
  // No digit has the highest bit. Set, it tells a compiler that the shift is below 64.
  const int leading = std::countr_zero(digits | std::uint64_t{1} << 63) / 8;
  const std::uint64_t shown = (digits + zeros) >> (8 * leading);
  std::memcpy(at, &shown, sizeof shown);
  return at + (8 - leading);
}

}  // namespace gsx
