// Searching on the GPU.
#pragma once

#include <memory>

#include "device/backend.hpp"
#include "kernels/base/memory_pool.hpp"
#include "kernels/base/transfer.hpp"
#include "kernels/base/tuning.hpp"
#include "kernels/search/exact/placed_index.hpp"

namespace gsx::cuda {

/// How a searcher works; what it finds does not depend on it.
struct SearcherOptions {
  PositionWidth width = PositionWidth::automatic;
  bool whole_suffix_array = true;  ///< on the device, where there is room
  bool verify = true;              ///< few candidates, by comparing them with the text
  std::uint64_t device_hits = tuning::hits_at_once;       ///< on the device at a time
  std::uint64_t host_hits = SearchMemory().hits_at_once;  ///< in the host's memory, per call
  SharedPlacement* placement = nullptr;  ///< if not null, shares what lies on the device, all of it
  ExtrasStart extras = {};               ///< of an index that is not shared
};

/// Places the index on a device and searches there. Each thread that calls has a stream and buffers
/// of its own, so that copies of one batch overlap with the search of another; batches that take
/// too much memory are split. Of a pattern with more hits than the device holds at a time, those in
/// one range of the text after another are found.
/// Pre: the pool's GPU is current. Throws ResourceError when the index does not fit,
/// CorruptIndexError, DeviceError.
std::unique_ptr<Searcher> make_searcher(const Index& index, std::shared_ptr<MemoryPool> pool,
                                        Transfer& transfer, const SearcherOptions& options);

}  // namespace gsx::cuda
