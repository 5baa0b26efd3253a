// Clusters of sequences by directional networks.
#pragma once

#include "search/sets/neighbors.hpp"

namespace gsx {

/// The clusters of a set, as umi_tools makes them by its method "directional". From the most
/// frequent sequence that is in no cluster yet (the first one of several), a cluster goes along
/// each edge a -> b where a and b are neighbours and a explains b, to all that are in none. Throws
/// ResourceError, also if the neighbours of all sequences do not fit at once. Memory: 4 bytes per
/// edge and 25 per sequence, after that of find_neighbors().
Clusters make_clusters(const SequenceSet& set, unsigned distance, const NeighborOptions& options);

}  // namespace gsx
