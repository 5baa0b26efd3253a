// Finds the matches of many pieces on the CPU.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/cpu_path.hpp"
#include "search/matches/match_walk.hpp"

namespace gsx {

/// Matches of pieces, piece by piece, in the order of their begins.
struct PieceMatches {
  std::vector<StrandMatch> matches;
  std::vector<std::uint64_t> ends;  ///< of each piece's matches

  std::span<const StrandMatch> of(std::size_t piece) const {
    const std::uint64_t begin = piece == 0 ? 0 : ends[piece - 1];
    return std::span(matches).subspan(begin, ends[piece] - begin);
  }
};

/// Finds the matches of at least `min_length` symbols of all pieces, on up to `threads` threads.
/// `wide`: whether positions need 64 bits. Throws CorruptIndexError if the index leads outside
/// itself.
PieceMatches search_pieces(const SearchedIndex& index, bool wide,
                           std::span<const MatchPiece> pieces, std::uint64_t min_length,
                           int threads, CpuPath path);

}  // namespace gsx
