// What precedes a suffix, in one byte.
#pragma once

#include <algorithm>
#include <cstdint>

#include "text/text_view.hpp"

namespace gsx {

/// The last few symbols before a position, the nearest one in the lowest bits: 3 of DNA below a
/// set bit that says how many there are, or, of codes wider than 3 bits, 1 alone. A suffix one
/// symbol longer is preceded by the rest. Where a segment begins the byte may claim code 0.
/// Example for DNA: "ACG" before a position is 0b1'00'01'10, the rest of it 0b1'00'01.
struct Preceding {
  PackedView symbols;
  std::uint32_t capacity;
  std::uint32_t shift;
  std::uint8_t mask;
  std::uint8_t empty;  ///< no symbol
  std::uint8_t fill;   ///< what comes in from the left

  explicit Preceding(const PackedView& text)
      : symbols(text),
        capacity(text.bits > 3 ? 1 : 6 / text.bits),
        shift(text.bits > 3 ? 8 : text.bits),
        mask(static_cast<std::uint8_t>((1u << shift) - 1)),
        empty(text.bits > 3 ? 0xFF : 1),
        fill(text.bits > 3 ? 0xFF : 0) {}

  /// Cost: one access to the text.
  std::uint8_t at(std::uint64_t p) const {
    if (p == 0) return empty;
    const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(capacity, p));
    const std::uint32_t bits = count * symbols.bits;
    const std::uint64_t codes = symbols.window(p - count) >> (64 - bits);
    return static_cast<std::uint8_t>(capacity == 1 ? codes : codes | std::uint64_t{1} << bits);
  }
  /// Pre: not empty.
  std::uint8_t first(std::uint8_t some) const { return some & mask; }
  std::uint8_t rest(std::uint8_t some) const {
    return static_cast<std::uint8_t>(some >> shift | fill);
  }
  /// Asks for the text that at(p) reads.
  void prefetch(std::uint64_t p) const {
    __builtin_prefetch(symbols.bytes + (p * symbols.bits >> 3));
  }
};

}  // namespace gsx
