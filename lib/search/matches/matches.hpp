// Maximal matches: who finds them.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/exact/hits.hpp"
#include "search/exact/searcher.hpp"
#include "search/matches/match_values.hpp"

namespace gsx {

class MatchProgress;
class MatchSearcher;

/// The search for maximal matches of queries.
struct MatchSearch {
  using Batch = Patterns;
  using Request = MatchRequest;
  using CountRequest = const MatchRequest&;
  using Counts = std::vector<std::uint8_t>;  ///< 1 for a query that has a match, else 0
  using Sink = MatchSink;
  using Progress = MatchProgress;
  using Searcher = MatchSearcher;
  using Setup = ExactSearch::Setup;
};

/// Finds all maximal matches that are long enough, completely. A call uses as many threads as other
/// calls leave it.
class MatchSearcher : public SearcherOf<MatchSearch> {
 public:
  /// Sets 1 for each query that has a match, of which a searcher may find one sooner than all.
  void count(const Patterns& queries, const MatchRequest& request,
             std::vector<std::uint8_t>& matched) const override;
};

/// The strings of matches as patterns. Their hits, which a Searcher gives in bounded memory, are
/// the places of the matches, with the counts of the matches.
class MatchPatterns {
 public:
  void clear() {
    codes_.clear();
    ends_.clear();
  }
  /// Adds a match of `query`, whose codes are copied.
  void add(std::span<const std::uint8_t> query, const MaximalMatch& match) {
    const auto codes = query.subspan(match.begin, match.length);
    codes_.insert(codes_.end(), codes.begin(), codes.end());
    ends_.push_back(codes_.size());
  }
  std::size_t size() const { return ends_.size(); }
  std::uint64_t symbols() const { return codes_.size(); }
  Patterns patterns() const { return {codes_, ends_}; }

 private:
  std::vector<std::uint8_t> codes_;
  std::vector<std::uint64_t> ends_;
};

/// A place of the text and a place of a query that match, and cannot be extended on either side
/// (MEM). On the reverse strand, the reverse complement of the query's interval is at the place of
/// the text. Pairs compare by the place of the text, then strand, then the place of the query.
struct MatchPair {
  std::uint64_t target;  ///< where it begins in the text
  bool reverse;
  std::uint64_t query;  ///< where it begins in the query as given
  std::uint64_t length;

  friend auto operator<=>(const MatchPair&, const MatchPair&) = default;
};

/// Which pairs to find: those of strings that are unique, and where.
enum class PairUniqueness : std::uint8_t {
  none,          ///< all pairs
  target,        ///< once in the text, on its forward strand
  both,          ///< and once in the query, on the strand of the pair
  both_strands,  ///< once in the text and once in the query, both strands counted together
};

struct PairRequest {
  Strands strands = Strands::both;
  std::uint64_t min_length = 1;  ///< at least 1
  PairUniqueness unique = PairUniqueness::none;
};

}  // namespace gsx
