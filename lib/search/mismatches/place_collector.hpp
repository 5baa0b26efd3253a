// Gathers the places of patterns into chunks of hits, a bounded number at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "search/mismatches/mismatches.hpp"

namespace gsx {

/// Takes places pattern by pattern, those of a pattern in any order, and gives them to a sink in
/// output order. Patterns with few places share a chunk. If a pattern has more places than may be
/// held, and as many are to be reported, another searcher finds them in order.
class PlaceCollector {
 public:
  PlaceCollector(const SetPatterns& patterns, const MismatchRequest& request,
                 const SearchMemory& memory, const MismatchSearcher& scan, const HitSink& sink);

  /// Adds a place of the current pattern; at first, that is pattern 0.
  void take(const Hit& hit) {
    if (is_scanned_) return;
    ++(hit.is_reverse() ? count_.reverse : count_.forward);
    hits_.push_back(hit);
    if (hits_.size() >= most_) make_room();
  }
  /// Leaves all places of the current pattern to the other searcher. Pre: it has none yet.
  void scan() { is_scanned_ = true; }
  /// Ends the places of the current pattern. The next one is then current.
  void end_pattern();
  /// Gives the sink what it has not been given. Call it after the last pattern.
  void finish() { give_group(); }

 private:
  void make_room();
  void keep_own();
  void give_group();
  void give_scanned();

  const SetPatterns patterns_;
  const MismatchRequest request_;
  const std::uint64_t most_;   ///< hits held at a time
  const std::uint64_t group_;  ///< hits of several patterns after which a chunk ends
  const MismatchSearcher& scan_;
  const HitSink& sink_;
  std::size_t first_ = 0;      ///< the first pattern of the chunk
  std::size_t own_begin_ = 0;  ///< the first hit of the current pattern
  bool is_scanned_ = false;    ///< whether the other searcher finds the current pattern
  StrandCounts count_;         ///< of the current pattern
  std::vector<Hit> hits_;
  std::vector<StrandCounts> counts_;
  std::vector<std::uint64_t> ends_;
};

/// Takes places as PlaceCollector does, and only counts them.
class PlaceCounter {
 public:
  PlaceCounter(const SetPatterns& patterns, const MismatchRequest& request,
               const MismatchSearcher& scan, MismatchCounts& counts)
      : patterns_(patterns), request_(request), scan_(scan), counts_(counts) {}

  void take(const Hit& hit) { ++counts_.of(pattern_, hit.is_reverse())[hit.mismatches()]; }
  void scan();
  void end_pattern() { ++pattern_; }

 private:
  const SetPatterns patterns_;
  const MismatchRequest request_;
  const MismatchSearcher& scan_;
  MismatchCounts& counts_;
  std::size_t pattern_ = 0;
};

}  // namespace gsx
