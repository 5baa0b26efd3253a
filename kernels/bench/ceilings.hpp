// What a GPU can do at best.
#pragma once

#include <vector>

#include "bench/device_bench.hpp"
#include "kernels/base/memory_pool.hpp"

namespace gsx::cuda {

/// Copy bandwidth, dependent random 32-byte gathers from 1 GB, radix sort of pairs, and both ways
/// of the bus with pinned memory. Needs about 6 GB. Throws ResourceError, DeviceError.
std::vector<Ceiling> measure_device_ceilings(DeviceStream stream);

}  // namespace gsx::cuda
