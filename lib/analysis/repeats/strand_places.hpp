// Where the rows of a suffix array of both strands lie on the forward strand.
#pragma once

#include <cstdint>

#include "text/both_strands.hpp"

namespace gsx {

/// The symbol before a suffix: a code of the alphabet, or `border` where a segment begins, which is
/// unlike any symbol and any other border.
using LeftSymbol = std::uint16_t;

struct StrandPlaces {
  BothStrandsView text;

  static constexpr LeftSymbol border = 256;

  bool both() const { return text.half < text.text.length(); }

  /// The symbol before position p. Cost: a random load.
  LeftSymbol left_of(std::uint64_t p) const {
    if (text.text.segments.starts_at(p)) return border;
    return static_cast<LeftSymbol>(text.text.symbols[p - 1]);
  }
  /// Where, on the forward strand, the strings end that begin at position p of the reverse one.
  std::uint64_t forward_end(std::uint64_t p) const { return text.forward_start(p, 0); }
  void prefetch(std::uint64_t p) const {
    const PackedView& symbols = text.text.symbols;
    __builtin_prefetch(symbols.bytes + (p * symbols.bits >> 3));
  }
};

/// Whether two suffixes, or sets of suffixes that each have one symbol before them, differ in it.
inline bool differ_on_left(LeftSymbol a, LeftSymbol b) {
  return a != b || a == StrandPlaces::border;
}

}  // namespace gsx
