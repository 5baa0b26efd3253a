// Which pieces of a pattern occur where, with few edits each: a filter of places.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/edits/stripes.hpp"
#include "search/mismatches/base_set.hpp"

namespace gsx {

/// Positions [begin, begin + length) of a pattern, and with how many edits they are looked for.
struct FilterPiece {
  std::uint32_t begin;
  std::uint32_t length;
  std::uint32_t edits;
};

/// Most edits of a piece, and most symbols and edits together.
inline constexpr std::uint32_t most_piece_edits = 5;
inline constexpr std::uint32_t most_piece_reach = Stripes::lead;

/// The pieces of a pattern, and what a search for them costs.
struct FilterPlan {
  std::vector<FilterPiece> pieces;  ///< none: the filter costs more than it saves
  double cost = 0;                  ///< seconds per symbol of the text
};

/// The plan with the least cost. Wherever a pattern has at most `edits` edits, one of the pieces
/// has at most its own number: these add up, with one more for each piece, to edits + 1.
/// `column_cost` is what it takes to compute one column of the pattern, in seconds.
FilterPlan plan_filter(std::span<const BaseSet> pattern, std::uint32_t edits, StripePath path,
                       double column_cost);

/// Adds to `found` the text positions of the last symbols of substrings that differ from the piece
/// `sets` by at most `edits` edits, in the block of stripes, in no order. `states` is memory for
/// the call. Symbols beyond the text, and separators, count as some bases.
///
/// Keeps, for each prefix of the piece and each number of edits, whether it ends at a place: the
/// automaton of Wu and Manber (*Fast text searching allowing errors*, 1992), with bits that stand
/// for places, not for prefixes. A tile of several words is kept in registers while the symbols of
/// the piece go by. Cost: 1 operation per symbol, and 2 more for each edit, for 512 places with
/// AVX-512.
void find_piece(const Stripes& stripes, std::span<const BaseSet> sets, std::uint32_t edits,
                std::vector<std::uint64_t>& found);

}  // namespace gsx
