// The symbols before a suffix, in a small word.
#pragma once

#include <algorithm>
#include <cstdint>

#include "index/sa/bstar/segment_start_filter.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// The last few symbols of its segment before a position, the nearest one in the lowest bits. A set
/// bit above them says how many there are: 3 bases of DNA in one byte; of wider codes, as many as
/// fit two bytes. The left context of the suffix that is one symbol longer is the rest.
/// Example for DNA: "ACG" before a position is 0b1'00'01'10, and its rest is 0b1'00'01.
using LeftContext = std::uint16_t;

/// No symbol is known. Whoever needs one reads the text.
inline constexpr LeftContext empty_context = 1;
/// A segment starts here.
inline constexpr LeftContext start_context = 0;

/// Whether the contexts of a text take two bytes.
inline bool has_wide_contexts(const PackedView& text) {
  return text.bits > 3;
}
/// Symbols in a context.
inline std::uint64_t context_capacity(const PackedView& text) {
  return (has_wide_contexts(text) ? 15 : 7) / text.bits;
}

/// Reads the contexts of a text and takes them apart.
struct LeftContextReader {
  PackedView symbols;
  SegmentStartFilterView starts;  ///< of context_capacity() symbols
  std::uint64_t capacity;
  LeftContext mask;  ///< of one symbol

  LeftContextReader(const PackedView& text, const SegmentStartFilterView& filter)
      : symbols(text),
        starts(filter),
        capacity(context_capacity(text)),
        mask(static_cast<LeftContext>((1u << text.bits) - 1)) {}

  /// The context of position p, never empty_context. Cost: one access to the text.
  LeftContext at(std::uint64_t p) const {
    std::uint64_t count = capacity;
    if (starts.may_start_before(p)) [[unlikely]] {
      count = std::min(count, starts.symbols_before(p));
      if (count == 0) return start_context;
    }
    const std::uint64_t bits = count * symbols.bits;
    const std::uint64_t codes = symbols.window(p - count) >> (64 - bits);
    return static_cast<LeftContext>(codes | std::uint64_t{1} << bits);
  }
  /// The symbol directly before the suffix. Pre: neither empty nor the start of a segment.
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
