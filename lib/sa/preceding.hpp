// What precedes a suffix, in a small word.
#pragma once

#include <algorithm>
#include <cstdint>

#include "text/text_view.hpp"

namespace gsx {

/// The last few symbols before a position, the nearest one in the lowest bits, below a set bit that
/// says how many there are: 3 of DNA in one byte, of wider codes as many as two bytes hold. A
/// suffix one symbol longer is preceded by the rest. Where a segment begins a word may claim
/// code 0.
/// Example for DNA: "ACG" before a position is 0b1'00'01'10, the rest of it 0b1'00'01.
using PrecedingWord = std::uint16_t;

/// Reads and takes apart words of one byte, or two if they are wide.
template <bool wide>
struct Preceding {
  static constexpr PrecedingWord empty = 1;

  PackedView symbols;
  std::uint64_t capacity;  ///< symbols in a word
  PrecedingWord mask;      ///< of a symbol

  explicit Preceding(const PackedView& text)
      : symbols(text),
        capacity((wide ? 15 : 7) / text.bits),
        mask(static_cast<PrecedingWord>((1u << text.bits) - 1)) {}

  /// Cost: one access to the text.
  PrecedingWord at(std::uint64_t p) const {
    const std::uint64_t count = std::min(p, capacity);
    if (count == 0) return empty;
    const std::uint64_t bits = count * symbols.bits;
    const std::uint64_t codes = symbols.window(p - count) >> (64 - bits);
    return static_cast<PrecedingWord>(codes | std::uint64_t{1} << bits);
  }
  /// Pre: not empty.
  std::uint8_t first(PrecedingWord some) const { return static_cast<std::uint8_t>(some & mask); }
  PrecedingWord rest(PrecedingWord some) const {
    return static_cast<PrecedingWord>(some >> symbols.bits);
  }
  /// Asks for the text that at(p) reads.
  void prefetch(std::uint64_t p) const {
    __builtin_prefetch(symbols.bytes + (p * symbols.bits >> 3));
  }
};

/// Whether the words of a text are wide.
inline bool has_wide_words(const PackedView& text) {
  return text.bits > 3;
}
inline PrecedingWord preceding_word(const PackedView& text, std::uint64_t p) {
  return has_wide_words(text) ? Preceding<true>(text).at(p) : Preceding<false>(text).at(p);
}

/// The words of rows: their low bytes and, of wide ones, their high bytes.
template <bool wide>
struct PrecedingRows {
  std::uint8_t* low;
  std::uint8_t* high;

  PrecedingWord load(std::uint64_t row) const {
    if constexpr (wide) return static_cast<PrecedingWord>(low[row] | high[row] << 8);
    return low[row];
  }
  void store(std::uint64_t row, PrecedingWord word) const {
    low[row] = static_cast<std::uint8_t>(word);
    if constexpr (wide) high[row] = static_cast<std::uint8_t>(word >> 8);
  }
};

}  // namespace gsx
