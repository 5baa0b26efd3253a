// The functions of gsx/device_barcodes.cuh as a user calls them, and the device's own finders.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "device_calls/device_call.hpp"
#include "search/sets/neighbors.hpp"
#include "search/sets/prefix_set.hpp"

namespace gsx::testing {

/// The neighbours of sequence i are others[offsets[i], offsets[i + 1]).
struct ListedNeighbors {
  std::vector<std::uint64_t> offsets;
  std::vector<std::uint32_t> others;
};

/// Those of a set in device memory, or of a set in `other` if that is not null, listed some rows
/// at a time. Throws std::runtime_error if the number of pairs is wrong.
ListedNeighbors device_neighbors(const SequenceSet& set, const SequenceSet* other,
                                 unsigned distance, std::uint64_t rows_at_once,
                                 const DeviceCall& call);
/// The same for keys that are given as they are.
ListedNeighbors device_neighbors_of_keys(const std::vector<std::uint64_t>& words,
                                         SequenceShape shape, unsigned distance);
/// The same among the first `others` of the keys, which lie where the set does.
ListedNeighbors device_neighbors_among_first(const std::vector<std::uint64_t>& words,
                                             std::uint64_t others, SequenceShape shape,
                                             unsigned distance);
/// Counts neighbours while an error of the caller's is pending. Returns whether it still is, and
/// what was said of it.
std::pair<bool, std::string> neighbors_with_pending_error();

/// How a device finds neighbours of sets in host memory.
struct FinderLimits {
  std::uint64_t buckets = std::uint64_t{1} << 28;
  std::uint32_t scanned = 16;
  std::uint64_t pairs_at_once = std::uint64_t{1} << 28;
  std::uint64_t memory = ~std::uint64_t{0};
};
std::unique_ptr<NeighborFinder> make_device_finder(const FinderLimits& limits);

/// What DevicePrefixSet finds for queries in device memory.
std::vector<std::uint32_t> device_longest_prefixes(const PrefixSet& set,
                                                   std::span<const std::string_view> queries,
                                                   const DeviceCall& call);

}  // namespace gsx::testing
