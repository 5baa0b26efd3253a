// What a walk searches for maximal matches, and what it finds.
#pragma once

#include <cstdint>

#include "search/exact/strand_codes.hpp"

namespace gsx {

/// Where to look for matches: those that begin in [begin, end) of a strand, which holds no symbol
/// outside the alphabet. They may end anywhere in it.
template <class Strand>
struct PieceOf {
  Strand strand;
  typename Strand::Offset begin;
  typename Strand::Offset end;
};
using MatchPiece = PieceOf<StrandCodes>;

/// A maximal match of one strand, in its coordinates.
struct StrandMatch {
  std::uint64_t begin;
  std::uint64_t length;
  std::uint64_t count;
};

}  // namespace gsx
