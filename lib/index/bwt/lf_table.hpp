// The table of TableSteps.
#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include "base/buffer.hpp"
#include "index/bwt/bwt_bytes.hpp"
#include "index/bwt/lf_steps.hpp"

namespace gsx {

/// First row of each symbol, and how to search among them.
template <class Pos>
struct SymbolStarts {
  std::array<Pos, TableSteps<Pos>::most_starts> rows;
  std::uint32_t half = 1;

  SymbolStarts(const BwtAlphabet& alphabet, const std::array<std::uint64_t, 256>& counts) {
    rows.fill(std::numeric_limits<Pos>::max());
    while (2 * half < alphabet.size)
      half *= 2;
    std::uint64_t next = alphabet.separators;
    for (std::uint32_t code = 0; code < alphabet.size; ++code) {
      rows[code] = static_cast<Pos>(next);
      next += counts[alphabet.symbol_of[code]];
    }
  }
};

/// For every row, where an LF step leads; for a separator, the number of separators before it. Pre:
/// rows fit Pos. Cost: two passes. Throws ResourceError.
template <class Pos>
Buffer<Pos> make_lf_table(const BwtBytes& bwt, const BwtAlphabet& alphabet, int threads);

}  // namespace gsx
