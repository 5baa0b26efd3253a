// Finds on the CPU which queries have a match that is long enough.
#pragma once

#include <cstdint>
#include <span>

#include "match/match_walk.hpp"

namespace gsx {

/// A piece of a strand of a query; its strand may hold symbols outside the alphabet.
struct DetectPiece {
  MatchPiece piece;
  std::uint64_t query;
};

/// Sets matched[query] to 1 for each piece in which a match of at least `min_length` symbols
/// begins, on up to `threads` threads. Leaves out the pieces of queries that have a 1 already when
/// their turn comes, so those of one query are best far apart. `wide`: whether positions need 64
/// bits. Throws CorruptIndexError if the index leads outside itself.
void detect_in_pieces(const SearchedIndex& index, bool wide, std::span<const DetectPiece> pieces,
                      std::uint64_t min_length, int threads, std::span<std::uint8_t> matched);

}  // namespace gsx
