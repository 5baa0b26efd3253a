// How fast the CPU finds neighbours in sets of short sequences, and longest prefixes.
#pragma once

#include <cstdint>
#include <vector>

#include "bench/device_bench.hpp"
#include "search/sets/neighbors.hpp"
#include "search/sets/prefix_set.hpp"

namespace gsx {

/// The set of the first `size` sequences measured_16_mer(), each of which counts once. Throws
/// ResourceError.
SequenceSet measured_sequence_set(std::uint64_t size, int threads);
/// The set of prefixes that is measured, of about measured_entries or `size` entries.
PrefixSet measured_prefix_set(std::uint64_t size);

/// Rates for all pairs at a distance of at most 1 of such a set, and at 2 of a smaller one, by a
/// finder, or by the CPU if it is null.
std::vector<QueryRate> measure_neighbors(std::uint64_t size, int threads, NeighborFinder* finder);
/// Rates for finding the longest prefixes of as many queries, but at most 2^22. Throws
/// ResourceError.
std::vector<QueryRate> measure_cpu_prefixes(std::uint64_t size, int threads);

/// Sequences at distance 2 that are searched, most.
inline constexpr std::uint64_t most_at_distance_2 = std::uint64_t{1} << 22;

}  // namespace gsx
