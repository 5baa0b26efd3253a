// Joins the hits of several patterns that stand for one guide.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "scan/mismatches.hpp"

namespace gsx {

/// Adds up the counts of each `patterns_per_guide` patterns in a row.
MismatchCounts join_counts(const MismatchCounts& counts, std::size_t patterns_per_guide);

/// Takes the hits of patterns, of which each few in a row stand for a guide and have no hit in
/// common, and passes on those of the guides, in output order.
class JoinedHits {
 public:
  /// Of each guide, passes on at most `max_hits` hits, those with the fewest mismatches. Holds at
  /// most about `most` hits, if there are several patterns per guide.
  JoinedHits(std::size_t patterns_per_guide, std::uint64_t max_hits, std::uint64_t most,
             const HitSink& sink)
      : per_guide_(patterns_per_guide), max_hits_(max_hits), most_(most), sink_(sink) {}

  /// A HitSink of the patterns' hits, which must be all there are. Throws OutOfMemoryError if a
  /// guide has more hits than may be held.
  void take(const HitChunk& chunk);
  /// Passes on the rest.
  void flush();

 private:
  void end_guide();

  std::size_t per_guide_;
  std::uint64_t max_hits_;
  std::uint64_t most_;
  const HitSink& sink_;
  std::size_t first_ = 0;  ///< number of the first guide held
  std::vector<StrandCounts> counts_;
  std::vector<std::uint64_t> ends_;
  std::vector<Hit> hits_;
  StrandCounts counts_of_guide_;
  std::vector<Hit> hits_of_guide_;
};

}  // namespace gsx
