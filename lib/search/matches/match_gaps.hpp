// Where short maximal matches are, given the long ones.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/matches/matches.hpp"
#include "search/matches/stretches.hpp"

namespace gsx {

/// The gaps before, between and behind the long maximal matches of stretches.
///
/// A maximal match is not inside another. So one that is shorter than the long ones, begins behind
/// the begin of a long match and before that of the next, ends behind the end of the one and before
/// that of the other. As it is short, it is near both: in the gap, which reaches a little into both
/// of them. What is maximal in the gap and ends and begins so is maximal in the query: if it could
/// be extended, so it could in the gap, or it would be inside a long match.
class MatchGaps {
 public:
  /// Long matches have at least `long_symbols`, which are more than `min_length`.
  MatchGaps(std::uint64_t min_length, std::uint64_t long_symbols)
      : min_length_(min_length), long_symbols_(long_symbols) {}

  /// Adds the gap before the next long match of a stretch.
  void add(const QueryStretch& stretch, const MaximalMatch& match) {
    push(stretch, std::min(match.end() - 1, match.begin + long_symbols_ - 2), &match);
    last_ = match;
  }
  /// Adds the gap behind the last long match of a stretch.
  void end(const QueryStretch& stretch) {
    push(stretch, stretch.end, nullptr);
    last_ = {};
  }

  std::size_t size() const { return stretches_.size(); }
  /// Symbols of all gaps.
  std::uint64_t symbols() const { return symbols_; }
  /// The gaps, in order. One without room for a match is empty.
  std::span<const QueryStretch> stretches() const { return stretches_; }
  /// Whether a maximal match of gap i is one of the query.
  bool keeps(std::size_t i, const MaximalMatch& match) const {
    return match.end() > bounds_[i].end_before && match.begin < bounds_[i].behind.begin;
  }
  /// The long match behind gap i, if there is one.
  const MaximalMatch* match_behind(std::size_t i) const {
    return bounds_[i].behind.length == 0 ? nullptr : &bounds_[i].behind;
  }
  /// Removes all gaps, but remembers the last match.
  void clear() {
    stretches_.clear();
    bounds_.clear();
    symbols_ = 0;
  }

 private:
  struct Bounds {
    std::uint64_t end_before;  ///< of the long match before the gap, or 0
    MaximalMatch behind;       ///< of length 0 and beyond all symbols if there is none
  };

  void push(const QueryStretch& stretch, std::uint64_t end, const MaximalMatch* behind) {
    std::uint64_t begin = stretch.begin;
    if (last_.length != 0) begin = std::max(last_.begin + 1, last_.end() + 2 - long_symbols_);
    if (end < begin + min_length_) end = begin;
    stretches_.push_back({stretch.query, begin, end});
    bounds_.push_back({last_.end(), behind == nullptr ? MaximalMatch{unlimited, 0, {}} : *behind});
    symbols_ += end - begin;
  }

  std::uint64_t min_length_;
  std::uint64_t long_symbols_;
  MaximalMatch last_{};  ///< long one of the stretch in progress
  std::vector<QueryStretch> stretches_;
  std::vector<Bounds> bounds_;
  std::uint64_t symbols_ = 0;
};

}  // namespace gsx
