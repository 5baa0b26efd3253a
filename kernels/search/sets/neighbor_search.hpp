// Neighbours of keys on the device: first counted, then listed.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/base/memory_pool.hpp"
#include "search/sets/neighbor_table.hpp"
#include "search/sets/neighbor_values.hpp"
#include "search/sets/sequence_set.hpp"

namespace gsx::cuda {

/// What is asked of keys on the device. A search within a set asks for the keys of the table.
template <unsigned Words>
struct NeighborQuestion {
  SequenceSetView<Words> d_asked;  ///< counts only for kinds other than `later`
  unsigned distance = 1;           ///< 1 or 2
  bool within = true;              ///< whether the table is of the same set
  NeighborKind kind = NeighborKind::later;
};

/// Writes to d_offsets[i] how many neighbours the keys before i have, for all i up to their number.
/// Asynchronous. Throws ResourceError, DeviceError. Cost: a walk (search/sets/neighbor_walk.hpp)
/// per key.
template <unsigned Words>
void count_neighbors_async(const NeighborTableView<Words>& table,
                           const NeighborQuestion<Words>& question, std::uint64_t* d_offsets,
                           DeviceStream stream);

/// Writes the neighbours of keys [begin, end), ascending, key by key, to d_others. Asynchronous.
/// Throws DeviceError. Pre: d_offsets is what count_neighbors_async() wrote; d_others has room for
/// d_offsets[end] - d_offsets[begin]. Cost: as that of count_neighbors_async(), but nothing for a
/// key without neighbours.
template <unsigned Words>
void list_neighbors_async(const NeighborTableView<Words>& table,
                          const NeighborQuestion<Words>& question, std::uint64_t begin,
                          std::uint64_t end, const std::uint64_t* d_offsets,
                          std::uint32_t* d_others, cudaStream_t stream);

}  // namespace gsx::cuda
