// Finds the pairs of matches of a target and a stretch of a query.
#pragma once

#include <cstdint>
#include <vector>

#include "search/matches/pair_extension.hpp"
#include "search/matches/pair_searcher.hpp"
#include "search/matches/pair_table.hpp"

namespace gsx {

/// What pairs are sought in.
struct PairTarget {
  TextView text;
  PairTableView table;
  PairSampling sampling;
  std::uint64_t min_length;
};

/// Finds pairs, on one thread.
class PairFinder {
 public:
  PairFinder(const PairTarget& target, const PackedView& query,
             std::size_t pairs_at_once = usual_pairs);

  static constexpr std::size_t usual_pairs = std::size_t{1} << 16;

  /// Gives `sink` the pairs on a strand that begin in places [begin, end) of the query, chunk by
  /// chunk. Holds about `pairs_at_once` pairs, or as many as begin in period() places, if these are
  /// more. Cost: a look-up per query_step places, and a comparison for each place of the target
  /// that has the same slot. Pre: begin and end lie in `stretch`.
  void find(const PlainStretch& stretch, std::uint64_t begin, std::uint64_t end, bool reverse,
            const PairSink& sink);

 private:
  /// Places of the query that are looked up together, and candidates that are compared together.
  static constexpr std::size_t group = 64, candidates_at_once = 256;

  struct Candidate {
    std::uint64_t target;
    std::uint64_t query;
  };

  template <bool Reverse>
  void find_on_strand(const PlainStretch& stretch, std::uint64_t begin, std::uint64_t end,
                      const PairSink& sink);
  template <bool Reverse>
  void compare(const PlainStretch& stretch, std::uint64_t begin, std::uint64_t end);
  void give(std::uint64_t end, const PairSink& sink);

  PairTarget target_;
  PairExtension extension_;
  std::size_t pairs_at_once_;
  std::size_t most_pairs_ = pairs_at_once_;
  std::size_t candidates_ = 0;
  Candidate candidate_[candidates_at_once];
  std::vector<MatchPair> pairs_;
};

}  // namespace gsx
