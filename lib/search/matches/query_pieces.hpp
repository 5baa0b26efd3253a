// Cuts queries into pieces for a GPU, of which each piece is searched on each strand.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "base/bits.hpp"
#include "search/matches/match_walk.hpp"
#include "search/matches/packed_strand.hpp"
#include "search/matches/stretches.hpp"

namespace gsx {

/// A part of a stretch of a query, in the order of the query. On the forward strand, matches that
/// begin in it are found with it; on the reverse strand, those that end in it.
template <class Offset>
struct QueryPiece {
  Offset stretch;  ///< where the stretch begins in the codes of all queries
  Offset length;   ///< of the stretch
  Offset begin;    ///< of the piece, in the stretch
  Offset end;
  Offset offset;              ///< of the stretch in its query
  std::uint32_t first_piece;  ///< the pieces of the stretch
  std::uint32_t end_piece;

  /// The piece on a strand, in its coordinates.
  GSX_HD PieceOf<PackedStrand<Offset>> on_strand(const PackedView& symbols, bool reverse) const {
    return {{symbols, stretch, length, reverse},
            reverse ? length - end : begin,
            reverse ? length - begin : end};
  }
  /// Where a match of a strand begins in the query.
  GSX_HD Offset place_of(Offset match_begin, Offset match_length, bool reverse) const {
    return offset + (reverse ? length - match_begin - match_length : match_begin);
  }
};
static_assert(std::is_trivially_copyable_v<QueryPiece<std::uint32_t>>);

/// The pieces of queries, and for each query the end of its pieces.
template <class Offset>
class QueryPieces {
 public:
  /// Pre: positions in the codes of the queries fit an Offset.
  void cut(const Patterns& queries, std::uint32_t sigma, std::uint64_t min_length,
           const MatchTuning& tuning) {
    pieces_.clear();
    ends_.clear();
    for_each_stretch(queries, sigma, min_length, [&](const QueryStretch& stretch) {
      ends_.resize(stretch.query, size());
      const std::uint64_t length = stretch.length(), first = pieces_.size();
      const std::uint64_t symbols = tuning.symbols_of_piece(length);
      const std::uint64_t end_piece = first + divide_up(length, symbols);
      for (std::uint64_t begin = 0; begin < length; begin += symbols) {
        pieces_.push_back(
            {static_cast<Offset>(queries.begin_of(stretch.query) - queries.begin + stretch.begin),
             static_cast<Offset>(length), static_cast<Offset>(begin),
             static_cast<Offset>(std::min(begin + symbols, length)),
             static_cast<Offset>(stretch.begin), static_cast<std::uint32_t>(first),
             static_cast<std::uint32_t>(end_piece)});
      }
    });
    ends_.resize(queries.size(), size());
  }
  std::span<const QueryPiece<Offset>> pieces() const { return pieces_; }
  std::span<const std::uint32_t> ends() const { return ends_; }

 private:
  std::uint32_t size() const { return static_cast<std::uint32_t>(pieces_.size()); }

  std::vector<QueryPiece<Offset>> pieces_;
  std::vector<std::uint32_t> ends_;
};

}  // namespace gsx
