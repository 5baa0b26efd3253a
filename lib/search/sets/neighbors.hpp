// Neighbours: sequences that differ in few symbols, within a set or between two.
#pragma once

#include <cstdint>
#include <functional>

#include "base/progress.hpp"
#include "search/sets/neighbor_values.hpp"
#include "search/sets/sequence_set.hpp"

namespace gsx {

struct NeighborRequest {
  unsigned distance = 1;  ///< the most symbols that differ: 1 to most_distance
  NeighborKind kind = NeighborKind::later;

  static constexpr unsigned most_distance = 2;
};

using TakeNeighbors = std::function<void(const NeighborChunk&)>;

class NeighborFinder;

struct NeighborOptions {
  int threads = 1;
  /// Bytes that the search may take beside the sets. If not all pairs fit, some are found at a
  /// time, and the search runs once for each part of them.
  std::uint64_t memory_bytes = ~std::uint64_t{0};
  ProgressReport progress = {};
  /// The device that searches; null: the CPU, by what stands below.
  NeighborFinder* finder = nullptr;
  /// Whether the device throws ResourceError rather than give lists in several chunks.
  bool at_once = false;
};

/// The search for neighbours, as the devices know it (device/searches.hpp).
struct NeighborSearch {
  using Searcher = NeighborFinder;
  struct Setup {};
};

/// A device's own way to find neighbours.
class NeighborFinder {
 public:
  virtual ~NeighborFinder() = default;
  /// Does what find_neighbors() does, or find_neighbors_between() if `second` is not null, with the
  /// same lists; options.finder says nothing here. Throws also DeviceError. Pre: `first` is not
  /// empty.
  virtual void find(const SequenceSet& first, const SequenceSet* second,
                    const NeighborRequest& request, const NeighborOptions& options,
                    const TakeNeighbors& take) = 0;
};

/// Gives `take` the neighbours of all sequences, in order and in as few chunks as memory allows;
/// they depend on neither threads nor memory. Throws ResourceError if memory_bytes is too little
/// for any, and what `take` throws. Pre: 0 < request.distance <= most_distance. Cost: on n
/// sequences of L symbols that are random, a few passes over them; at most in the order of n L
/// times the pairs of a sequence, plus 1, at distance 1. Memory: 4 bytes per sequence, 24 (of one
/// word) per sequence or less, 16 per pair or less.
void find_neighbors(const SequenceSet& set, const NeighborRequest& request,
                    const NeighborOptions& options, const TakeNeighbors& take);

/// Lists the neighbours of sequences of `first` in `second`, also at distance 0. Throws and costs
/// as find_neighbors(). Pre: the sets have one shape; the kind is `later`, which says nothing here.
void find_neighbors_between(const SequenceSet& first, const SequenceSet& second,
                            const NeighborRequest& request, const NeighborOptions& options,
                            const TakeNeighbors& take);

/// In how many symbols sequence i of a set and j of another of the same shape differ.
unsigned distance_between(const SequenceSet& set, std::uint64_t i, const SequenceSet& other,
                          std::uint64_t j);

}  // namespace gsx
