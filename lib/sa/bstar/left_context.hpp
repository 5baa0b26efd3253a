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
using LeftContext = std::uint16_t;

/// Reads and takes apart words of one byte, or two if they are wide.
template <bool wide>
struct LeftContextReader {
  static constexpr LeftContext empty = 1;

  PackedView symbols;
  std::uint64_t capacity;  ///< symbols in a word
  LeftContext mask;        ///< of a symbol

  explicit LeftContextReader(const PackedView& text)
      : symbols(text),
        capacity((wide ? 15 : 7) / text.bits),
        mask(static_cast<LeftContext>((1u << text.bits) - 1)) {}

  /// Cost: one access to the text.
  LeftContext at(std::uint64_t p) const {
    const std::uint64_t count = std::min(p, capacity);
    if (count == 0) return empty;
    const std::uint64_t bits = count * symbols.bits;
    const std::uint64_t codes = symbols.window(p - count) >> (64 - bits);
    return static_cast<LeftContext>(codes | std::uint64_t{1} << bits);
  }
  /// Pre: not empty.
  std::uint8_t first(LeftContext some) const { return static_cast<std::uint8_t>(some & mask); }
  LeftContext rest(LeftContext some) const {
    return static_cast<LeftContext>(some >> symbols.bits);
  }
  /// Asks for the text that at(p) reads.
  void prefetch(std::uint64_t p) const {
    __builtin_prefetch(symbols.bytes + (p * symbols.bits >> 3));
  }
};

/// Whether the words of a text are wide.
inline bool has_wide_contexts(const PackedView& text) {
  return text.bits > 3;
}
inline LeftContext left_context_at(const PackedView& text, std::uint64_t p) {
  return has_wide_contexts(text) ? LeftContextReader<true>(text).at(p)
                                 : LeftContextReader<false>(text).at(p);
}

/// The words of rows: their low bytes and, of wide ones, their high bytes.
template <bool wide>
struct LeftContextArray {
  std::uint8_t* low;
  std::uint8_t* high;

  LeftContext load(std::uint64_t row) const {
    if constexpr (wide) return static_cast<LeftContext>(low[row] | high[row] << 8);
    return low[row];
  }
  void store(std::uint64_t row, LeftContext word) const {
    low[row] = static_cast<std::uint8_t>(word);
    if constexpr (wide) high[row] = static_cast<std::uint8_t>(word >> 8);
  }
};

}  // namespace gsx
