// What precedes a suffix, in a small word.
#pragma once

#include <cstdint>

#include "text/text_view.hpp"

namespace gsx {

/// The last few symbols before a position, the nearest one in the lowest bits: of DNA 3 below a set
/// bit that says how many there are, in 8 bits; of codes wider than 3 bits 2, a byte each, 0xFF for
/// none. A suffix one symbol longer is preceded by the rest. Where a segment begins the word may
/// claim code 0.
/// Example for DNA: "ACG" before a position is 0b1'00'01'10, the rest of it 0b1'00'01.
struct Preceding {
  using Word = std::uint16_t;

  PackedView symbols;
  std::uint32_t capacity;
  std::uint32_t shift;
  Word mask;   ///< of a symbol
  Word empty;  ///< no symbol
  Word fill;   ///< what comes in from the left

  explicit Preceding(const PackedView& text)
      : symbols(text),
        capacity(is_wide(text) ? 2 : 6 / text.bits),
        shift(is_wide(text) ? 8 : text.bits),
        mask(static_cast<Word>((1u << shift) - 1)),
        empty(is_wide(text) ? 0xFFFF : 1),
        fill(is_wide(text) ? 0xFF00 : 0) {}

  /// Whether words take two bytes.
  static bool is_wide(const PackedView& text) { return text.bits > 3; }

  /// Cost: one access to the text.
  Word at(std::uint64_t p) const {
    if (p < capacity) return at_start(p);
    const std::uint32_t bits = capacity * symbols.bits;
    const std::uint64_t codes = symbols.window(p - capacity) >> (64 - bits);
    if (shift < 8) return static_cast<Word>(codes | std::uint64_t{1} << bits);
    const std::uint64_t far = codes >> symbols.bits;
    return static_cast<Word>((codes ^ far << symbols.bits) | far << 8);
  }
  /// Pre: not empty.
  std::uint8_t first(Word some) const { return static_cast<std::uint8_t>(some & mask); }
  Word rest(Word some) const { return static_cast<Word>(some >> shift | fill); }
  /// Asks for the text that at(p) reads.
  void prefetch(std::uint64_t p) const {
    __builtin_prefetch(symbols.bytes + (p * symbols.bits >> 3));
  }

 private:
  Word at_start(std::uint64_t p) const {
    Word made = empty;
    for (std::uint64_t i = 0; i < p; ++i)
      made = static_cast<Word>(made << shift | symbols[i]);
    return made;
  }
};

/// The words of rows: their low bytes and, of wide ones, their high bytes.
template <bool wide>
struct PrecedingRows {
  std::uint8_t* low;
  std::uint8_t* high;

  Preceding::Word load(std::uint64_t row) const {
    if constexpr (wide) return static_cast<Preceding::Word>(low[row] | high[row] << 8);
    return low[row];
  }
  void store(std::uint64_t row, Preceding::Word word) const {
    low[row] = static_cast<std::uint8_t>(word);
    if constexpr (wide) high[row] = static_cast<std::uint8_t>(word >> 8);
  }
};

}  // namespace gsx
