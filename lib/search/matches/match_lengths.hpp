// Makes matching statistics of maximal matches.
#pragma once

#include <algorithm>
#include <cstdint>

#include "search/matches/matches.hpp"

namespace gsx {

/// A maximal match and one of its places, where that is known.
struct PlacedMatch {
  MaximalMatch match{};
  Hit place;
};

/// Positions [begin, end) of a query. The longest match of each, which starts there or, if
/// `ending`, ends with it, is a part of one maximal match; or they have none.
struct LengthRun {
  std::uint64_t begin;
  std::uint64_t end;
  bool ending;
  PlacedMatch longest;  ///< its match is of length 0 if there is none

  bool is_matched() const { return longest.match.length != 0; }
  std::uint64_t length_at(std::uint64_t i) const {
    if (!is_matched()) return 0;
    return ending ? i + 1 - longest.match.begin : longest.match.end() - i;
  }
  /// The largest of length_at().
  std::uint64_t most() const { return length_at(ending ? end - 1 : begin); }
  /// Where the match of position i begins in the text, on the forward strand, if the place is
  /// known.
  std::uint64_t position_at(std::uint64_t i) const {
    const std::uint64_t begins = ending ? longest.match.begin : i;
    const std::uint64_t left = longest.place.is_reverse()
                                   ? longest.match.end() - begins - length_at(i)
                                   : begins - longest.match.begin;
    return longest.place.position() + left;
  }
};

/// Takes all maximal matches of a query, of any length and in order, and gives the runs of its
/// positions, in order and without a gap. The longest match that starts at a position is the part
/// from there on of the last maximal match that begins there or before; for a match that ends with
/// it, the part up to there of the first that ends behind it.
class LengthRuns {
 public:
  explicit LengthRuns(bool ending) : ending_(ending) {}

  /// Takes the next match. Calls take(run) for runs before it.
  template <class Take>
  void add(const PlacedMatch& match, const Take& take) {
    if (ending_) {
      if (at_ < match.match.begin) give(match.match.begin, {}, take);
      give(match.match.end(), match, take);
    } else {
      give_until(match.match.begin, take);
      last_ = match;
    }
  }
  /// Gives the rest of a query of `length` symbols. The next match is that of another query.
  template <class Take>
  void finish(std::uint64_t length, const Take& take) {
    give_until(length, take);
    last_ = {};
    at_ = 0;
  }

 private:
  template <class Take>
  void give_until(std::uint64_t end, const Take& take) {
    if (at_ < last_.match.end()) give(std::min(end, last_.match.end()), last_, take);
    if (at_ < end) give(end, {}, take);
  }
  template <class Take>
  void give(std::uint64_t end, const PlacedMatch& longest, const Take& take) {
    if (at_ < end) take(LengthRun{at_, end, ending_, longest});
    at_ = end;
  }

  bool ending_;
  std::uint64_t at_ = 0;  ///< positions before it are given
  PlacedMatch last_;      ///< none if its length is 0, or if the runs are of matches that end
};

}  // namespace gsx
