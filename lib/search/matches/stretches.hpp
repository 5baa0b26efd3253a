// Cuts queries into what is searched: stretches, strands and pieces.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/bits.hpp"
#include "search/exact/searcher.hpp"
#include "search/matches/match_walk.hpp"
#include "search/matches/matches.hpp"

namespace gsx {

/// How queries are cut for the search. The matches do not depend on it.
struct MatchTuning {
  /// Symbols of queries that are searched together; a stretch that is longer comes alone.
  std::uint64_t group_symbols = std::uint64_t{1} << 18;
  /// A strand is searched in pieces of so many symbols, or in `most_pieces`, if that is fewer: the
  /// match that begins in one may go on to the end of the query, and is compared in each.
  std::uint64_t piece_symbols = 4096;
  std::uint64_t most_pieces = 256;
  /// If both strands are searched for matches of fewer symbols, those of at least so many are found
  /// first, and shorter ones only between them. 0: so many that few match by chance.
  std::uint64_t long_symbols = 0;

  /// Symbols of a piece of a strand of that length.
  std::uint64_t symbols_of_piece(std::uint64_t length) const {
    return std::max({piece_symbols, divide_up(length, most_pieces), std::uint64_t{1}});
  }
};

/// Symbols [begin, end) of a query, all of them in the alphabet.
struct QueryStretch {
  std::size_t query;
  std::uint64_t begin;
  std::uint64_t end;
  std::uint64_t length() const { return end - begin; }
};

/// Whether none of `count` codes is above `last`. The count is known to the compiler, which makes
/// it a few instructions per 16 codes.
template <std::ptrdiff_t count>
bool none_above(std::uint8_t last, const std::uint8_t* codes) {
  std::uint8_t odd = 0;
  for (std::ptrdiff_t i = 0; i < count; ++i)
    odd |= static_cast<std::uint8_t>(codes[i] > last ? 1 : 0);
  return odd == 0;
}

/// The first of the codes [from, to) that is not below sigma; `to` if there is none. Pre: sigma is
/// 1 to 256.
inline const std::uint8_t* find_foreign(const std::uint8_t* from, const std::uint8_t* to,
                                        std::uint32_t sigma) {
  const auto last = static_cast<std::uint8_t>(sigma - 1);
  while (to - from >= 64 && none_above<64>(last, from))
    from += 64;
  while (to - from >= 16 && none_above<16>(last, from))
    from += 16;
  return std::find_if(from, to, [last](std::uint8_t code) { return code > last; });
}

/// Calls take(stretch) for those that have room for a match, in order.
template <class Take>
void for_each_stretch(const Patterns& queries, std::uint32_t sigma, std::uint64_t min_length,
                      const Take& take) {
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const auto codes = queries[i];
    const std::uint8_t *const begin = codes.data(), *const end = begin + codes.size();
    for (const std::uint8_t* from = begin; from != end;) {
      const std::uint8_t* const to = find_foreign(from, end, sigma);
      if (static_cast<std::uint64_t>(to - from) >= min_length) {
        take(QueryStretch{i, static_cast<std::uint64_t>(from - begin),
                          static_cast<std::uint64_t>(to - begin)});
      }
      from = to == end ? to : to + 1;
    }
  }
}

/// The stretches as a list.
inline std::vector<QueryStretch> stretches_of(const Patterns& queries, std::uint32_t sigma,
                                              std::uint64_t min_length) {
  std::vector<QueryStretch> stretches;
  for_each_stretch(queries, sigma, min_length,
                   [&](const QueryStretch& stretch) { stretches.push_back(stretch); });
  return stretches;
}

/// One strand of a stretch, and its pieces.
class StretchStrand {
 public:
  StretchStrand(const Patterns& queries, const QueryStretch& stretch, bool reverse,
                const MatchTuning& tuning)
      : strand_{queries[stretch.query].data() + stretch.begin, stretch.length(), reverse},
        offset_(stretch.begin),
        symbols_(tuning.symbols_of_piece(stretch.length())) {}

  std::uint64_t pieces() const { return divide_up(strand_.length, symbols_); }
  std::uint64_t piece_symbols() const { return symbols_; }
  /// Piece i in the order of the query.
  MatchPiece piece(std::uint64_t i) const {
    const std::uint64_t begin = (strand_.reverse ? pieces() - 1 - i : i) * symbols_;
    return {strand_, begin, std::min(begin + symbols_, strand_.length)};
  }
  /// Adds the matches of piece i, in the order and coordinates of the query.
  void append(std::span<const StrandMatch> found, std::vector<MaximalMatch>& matches) const {
    if (!strand_.reverse) {
      for (const StrandMatch& match : found)
        matches.push_back({offset_ + match.begin, match.length, {match.count, 0}});
      return;
    }
    for (auto match = found.rbegin(); match != found.rend(); ++match) {
      matches.push_back({offset_ + strand_.length - match->begin - match->length,
                         match->length,
                         {0, match->count}});
    }
  }

 private:
  StrandCodes strand_;
  std::uint64_t offset_;
  std::uint64_t symbols_;
};

}  // namespace gsx
