// Longest prefixes of sequences in host memory, found on the device.
#pragma once

#include <memory>

#include "kernels/base/memory_pool.hpp"
#include "kernels/base/transfer.hpp"
#include "search/sets/prefix_finder.hpp"
#include "search/sets/prefix_set.hpp"

namespace gsx::cuda {

/// Copies the set to the device. A call packs its sequences into pinned memory, some at a time;
/// calls of several threads overlap. Pre: the pool's GPU is current; the set outlives the finder.
/// Throws ResourceError, DeviceError.
std::unique_ptr<PrefixFinder> make_prefix_finder(const PrefixSet& set,
                                                 std::shared_ptr<MemoryPool> pool,
                                                 Transfer& transfer);

}  // namespace gsx::cuda
