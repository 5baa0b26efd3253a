// What the loops of induced sorting work on.
#pragma once

#include <cstdint>

#include "index/sa/bstar/left_context.hpp"

namespace gsx {

/// The rows of the next suffix that begins with a symbol, in the upward and downward pass.
struct InductionPlace {
  std::uint64_t up;
  std::uint64_t down;
};

/// The symbols whose suffixes a pass writes; none if first > last.
struct WantedSymbols {
  std::uint64_t first;
  std::uint64_t last;
  bool has(std::uint64_t c) const { return (first <= c) & (c <= last); }
};

/// The arrays of induced sorting. Each loop has its own copy on the stack: after each byte that a
/// loop writes, the compiler would have to read members of *this again.
template <class Pos, bool wide>
struct InductionRows {
  static constexpr std::uint8_t no_symbol = 0xFF;

  LeftContextArray<wide> contexts;
  Pos* sa;
  LeftContextReader reader;

  /// Asks for the text that look(row) reads.
  __attribute__((always_inline)) void prefetch(std::uint64_t row) const {
    // A useless prefetch costs less than a branch that is often mispredicted.
    reader.prefetch(contexts.load(row) == empty_context ? sa[row] : 0);
  }
  /// The left context of a row, read from the text if it is not known.
  __attribute__((always_inline)) LeftContext look(std::uint64_t row) const {
    const LeftContext context = contexts.load(row);
    return context == empty_context ? reader.at(sa[row]) : context;
  }
  /// Passes a row with this left context, upwards (step 1) or downwards (-1): writes the suffix
  /// that is one symbol longer, if that symbol is wanted.
  template <int step>
  __attribute__((always_inline)) void pass(InductionPlace* places, std::uint64_t row,
                                           LeftContext context, WantedSymbols wanted) const {
    if (context == start_context) [[unlikely]]
      return contexts.store(row, step > 0 ? no_symbol : context);
    // A branch on the symbol would often be mispredicted. So there is none: a row whose symbol is
    // not wanted writes itself again.
    const std::uint8_t c = reader.nearest(context);
    const LeftContext kept = step > 0 ? c : context;
    contexts.store(row, kept);
    const bool counts = wanted.has(c);
    std::uint64_t& place = step > 0 ? places[c].up : places[c].down;
    const std::uint64_t target = counts ? place - (step > 0 ? 0 : 1) : row;
    place += step > 0 ? counts : 0 - std::uint64_t{counts};
    sa[target] = static_cast<Pos>(sa[row] - counts);
    contexts.store(target, counts ? reader.rest(context) : kept);
  }
};

}  // namespace gsx
