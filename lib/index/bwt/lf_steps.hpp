// LF steps through a BWT, for CPU and GPU: by rank blocks for small alphabets, by a table for
// others.
#pragma once

#include <cstdint>
#include <type_traits>

#include "arrays/rank/quad_view.hpp"
#include "base/host_device.hpp"

namespace gsx {

/// At most four symbols, and few separators. Memory: 2.7 bits per row.
struct QuadSteps {
  QuadView bwt;
  std::uint64_t segments = 0;

  /// Symbols that rank blocks can tell apart.
  static constexpr std::uint32_t most_symbols = 4;

  /// Moves from the row of a suffix to that of the suffix that is one symbol longer, and sets
  /// `code` to that symbol. At the start of a segment it returns false, and sets `row` to the
  /// number of separators in rows before it. Pre: row < rows. Cost: one 32-byte sector.
  template <class Pos>
  GSX_HD bool step(Pos& row, std::uint32_t& code) const {
    Pos next = row;
    if (!bwt.find_digit_and_rank(next, code)) {
      row = static_cast<Pos>(bwt.holes_before(row));
      return false;
    }
    row = next + static_cast<Pos>(segments);
    return true;
  }
  template <class Pos>
  const void* needed_at(Pos row) const {
    return bwt.blocks + row / QuadBlock::digits;
  }
};
static_assert(std::is_trivially_copyable_v<QuadSteps>);

/// Any alphabet, any number of separators. The step leads to the rows that begin with the symbol,
/// so the row tells the symbol, and no place is needed for it. Memory: 4 or 8 bytes per row.
template <class Pos>
struct TableSteps {
  const Pos* next = nullptr;  ///< for each row, where the step leads: below `segments`, no row but
                              ///< the number of separators in rows before it
  const Pos* starts = nullptr;  ///< [2 * half] first row of each symbol, then the largest numbers
  Pos segments = 0;
  std::uint32_t half = 1;  ///< a power of two, at least half the number of symbols

  /// Entries of `starts`.
  static constexpr std::uint32_t most_starts = 256;

  /// As QuadSteps::step. Cost: one word of the table, and a binary search among the symbols.
  GSX_HD bool step(Pos& row, std::uint32_t& code) const {
    row = next[row];
    if (row < segments) return false;
    code = 0;
    for (std::uint32_t step = half; step > 0; step /= 2)
      code += starts[code + step] <= row ? step : 0;
    return true;
  }
  const void* needed_at(Pos row) const { return next + row; }
};

}  // namespace gsx
