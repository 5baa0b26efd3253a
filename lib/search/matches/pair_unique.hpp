// Tells pairs of unique strings from others by the pairs that contain them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/matches/matches.hpp"

namespace gsx {

/// Pairs by their intervals of the query. A string of the query that begins a pair occurs elsewhere
/// in the target just where that place, too, is part of a pair, whose interval contains that of
/// the first. So a pair's string is unique in the target if no other pair's interval contains its
/// own. Only intervals that lie in no longer one are kept: their begins and ends ascend.
class PairSteps {
 public:
  struct Step {
    MatchPair pair;
    bool shared;  ///< whether several pairs have the interval
    std::uint64_t end() const { return pair.query + pair.length; }
  };

  void clear() { steps_.clear(); }
  /// Adds a pair whose begin is not before that of any pair here.
  void add(const MatchPair& pair, bool shared = false);
  /// Adds pairs of the other strand, whose intervals count together with those here.
  void merge(std::span<const Step> others);
  std::span<const Step> steps() const { return steps_; }

 private:
  std::vector<Step> steps_;
};

/// Keeps the pairs whose intervals of the target no other contains: those whose strings are unique
/// in the query, given all pairs of strings that are unique in the target. Orders them by strand,
/// then by their places in the query.
void keep_unique_in_query(std::vector<MatchPair>& pairs);

}  // namespace gsx
