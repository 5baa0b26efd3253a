// The symbols before a suffix, in a small word.
#pragma once

#include <algorithm>
#include <cstdint>

#include "text/text_view.hpp"

namespace gsx {

/// The last few symbols before a position, the nearest one in the lowest bits. A set bit above them
/// says how many there are: 3 bases of DNA in one byte; of wider codes, as many as fit two bytes.
/// The left context of the suffix that is one symbol longer is the rest. Where a segment begins, a
/// context may contain code 0 for the separator.
/// Example for DNA: "ACG" before a position is 0b1'00'01'10, and its rest is 0b1'00'01.
using LeftContext = std::uint16_t;

/// Reads contexts of one byte, or of two if `wide`, and takes them apart.
template <bool wide>
struct LeftContextReader {
  static constexpr LeftContext empty = 1;

  PackedView symbols;
  std::uint64_t capacity;  ///< symbols in a context
  LeftContext mask;        ///< of one symbol

  explicit LeftContextReader(const PackedView& text)
      : symbols(text),
        capacity((wide ? 15 : 7) / text.bits),
        mask(static_cast<LeftContext>((1u << text.bits) - 1)) {}

  /// The context of position p. Cost: one access to the text.
  LeftContext at(std::uint64_t p) const {
    const std::uint64_t count = std::min(p, capacity);
    if (count == 0) return empty;
    const std::uint64_t bits = count * symbols.bits;
    const std::uint64_t codes = symbols.window(p - count) >> (64 - bits);
    return static_cast<LeftContext>(codes | std::uint64_t{1} << bits);
  }
  /// The symbol directly before the suffix. Pre: not empty.
  std::uint8_t nearest(LeftContext context) const {
    return static_cast<std::uint8_t>(context & mask);
  }
  LeftContext rest(LeftContext context) const {
    return static_cast<LeftContext>(context >> symbols.bits);
  }
  /// Asks for the text that at(p) reads.
  void prefetch(std::uint64_t p) const {
    __builtin_prefetch(symbols.bytes + (p * symbols.bits >> 3));
  }
};

/// Whether the contexts of a text take two bytes.
inline bool has_wide_contexts(const PackedView& text) {
  return text.bits > 3;
}
inline LeftContext left_context_at(const PackedView& text, std::uint64_t p) {
  return has_wide_contexts(text) ? LeftContextReader<true>(text).at(p)
                                 : LeftContextReader<false>(text).at(p);
}

/// The contexts of all rows: their low bytes and, if `wide`, their high bytes.
template <bool wide>
struct LeftContextArray {
  std::uint8_t* low;
  std::uint8_t* high;

  LeftContext load(std::uint64_t row) const {
    if constexpr (wide) return static_cast<LeftContext>(low[row] | high[row] << 8);
    return low[row];
  }
  void store(std::uint64_t row, LeftContext context) const {
    low[row] = static_cast<std::uint8_t>(context);
    if constexpr (wide) high[row] = static_cast<std::uint8_t>(context >> 8);
  }
};

}  // namespace gsx
