// Gives the hits of a slice to a sink, however many there are.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/search/exact/slice.hpp"
#include "search/exact/hit_chunks.hpp"

namespace gsx::cuda {

/// A slice that has been located and waited for, and how its hits are given.
template <class Pos>
struct LocatedSlice {
  SearchLane& lane;
  const SearchSlice<Pos>& slice;
  std::size_t first;  ///< the first pattern's number in the batch
  std::uint64_t max_hits;
  std::uint64_t device_hits;  ///< most hits on the device
  std::uint64_t host_hits;    ///< most hits in a chunk
  HitProgress& progress;      ///< takes them
};

/// Gives all hits of the slice of `work`. Waits. What the slice has brought back is lost unless it
/// holds all hits. Pre: device_hits >= 2, host_hits >= 1. Throws ResourceError, std::bad_alloc,
/// DeviceError, CorruptIndexError, and what the sink throws.
template <class Pos>
void give_hits(const LocatedSlice<Pos>& work);

}  // namespace gsx::cuda
