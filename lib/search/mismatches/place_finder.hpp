// Streams hits in order from scans that find them in any order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "search/mismatches/hit_collector.hpp"
#include "search/mismatches/mismatches.hpp"

namespace gsx {

/// How many patterns are searched together, at most.
struct GroupLimits {
  std::size_t patterns;
  std::size_t counts;  ///< of patterns and numbers of mismatches
  std::uint64_t symbols;
};
/// The end of the group of patterns from `first` on that keeps to the limits; one may exceed them.
std::size_t end_of_group(const SetPatterns& patterns, std::size_t first,
                         const MismatchRequest& request, const GroupLimits& limits);

/// Reads a whole text for some patterns at a time.
class PlaceFinder {
 public:
  /// Which hits to collect, of the first patterns.
  struct Wanted {
    std::uint64_t room;      ///< hits that may be held
    std::uint64_t max_hits;  ///< of a pattern
    /// If not empty: only hits of pattern i with fewer than fewer_than[i] mismatches, and there is
    /// room for all of these.
    std::vector<std::uint32_t> fewer_than = {};
  };
  using Take = std::function<void(std::span<const Hit> hits)>;

  virtual ~PlaceFinder() = default;
  /// How many of the patterns from `first` on are best searched together, at most `most`.
  virtual std::size_t group_end(const SetPatterns& patterns, std::size_t first,
                                const MismatchRequest& request, std::size_t most) = 0;
  /// Counts the places of the patterns, and collects hits of the first ones as long as there is
  /// room. Returns the number of patterns whose hits are in `found`.
  virtual std::size_t collect(const SetPatterns& patterns, const MismatchRequest& request,
                              const Wanted& wanted, MismatchCounts& counts, GroupedHits& found) = 0;
  /// Gives all places of one pattern in output order, a bounded number at a time.
  virtual void find_in_order(const SetPatterns& pattern, const MismatchRequest& request,
                             const Take& take) = 0;
};

/// Delivers the hits of a batch. Hits of a group of patterns are collected while they are counted.
/// If there is no room for those of all, those of the last patterns are only counted. The counts
/// then tell which of them can be collected together in another scan. The places of a pattern that
/// has more than there is room for are delivered as they come. `memory` bounds the hits held.
void stream_found(PlaceFinder& finder, const SetPatterns& patterns, const MismatchRequest& request,
                  const SearchMemory& memory, const HitSink& sink);

}  // namespace gsx
