// Joins the hits of several patterns that stand for one guide.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "search/mismatches/mismatches.hpp"

namespace gsx {

/// Adds up the counts of each `patterns_per_guide` patterns in a row.
MismatchCounts join_counts(const MismatchCounts& counts, std::size_t patterns_per_guide);

/// Searches for patterns, of which each few in a row stand for a guide and have no hit in common.
class JoinedSearch {
 public:
  /// Holds at most about 2 * `most` hits to put those of a guide in order. A guide with more is
  /// searched several times, each time for the hits of the next part of the text. A chunk has at
  /// most `at_once` hits.
  JoinedSearch(const MismatchSearcher& searcher, const SetPatterns& patterns,
               std::size_t patterns_per_guide, std::uint64_t most,
               std::uint64_t at_once = SearchMemory().hits_at_once)
      : searcher_(searcher),
        patterns_(patterns),
        per_guide_(patterns_per_guide),
        most_(most),
        at_once_(std::clamp<std::uint64_t>(at_once, 1, usual_hits)) {}

  /// Gives `sink` the hits of the guides in output order. Of each guide, passes on at most
  /// request.max_hits, those with the fewest mismatches.
  void stream(const MismatchRequest& request, const HitSink& sink) const;
  /// Gives `sink` all hits of the guides in any order, as stream_unordered() does; within a chunk,
  /// those of a guide have no order either. Holds none.
  void stream_unordered(const MismatchRequest& request, const HitSink& sink) const;

 private:
  static constexpr std::size_t usual_hits = std::size_t{1} << 16;  ///< of a chunk
  class Joining;
  std::size_t guides() const { return patterns_.size() / per_guide_; }
  SetPatterns patterns_of(std::size_t first, std::size_t last) const {
    return patterns_.some(first * per_guide_, last * per_guide_);
  }
  std::size_t stream_some(std::size_t first, std::size_t last, const MismatchRequest& request,
                          const HitSink& sink) const;
  void stream_by_parts(std::size_t guide, const MismatchCounts& counts,
                       const MismatchRequest& request, const HitSink& sink) const;
  std::uint64_t next_part(std::size_t guide, const MismatchRequest& request, std::uint64_t begin,
                          std::vector<Hit>& hits) const;

  const MismatchSearcher& searcher_;
  SetPatterns patterns_;
  std::size_t per_guide_;
  std::uint64_t most_;
  std::size_t at_once_;  ///< hits of a chunk
};

}  // namespace gsx
