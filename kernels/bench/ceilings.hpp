// What a GPU can do at best.
#pragma once

#include <cuda_runtime_api.h>

#include <vector>

#include "bench/device_bench.hpp"

namespace gsx::cuda {

/// Copy bandwidth, dependent random 32-byte gathers from 1 GB, radix sort of pairs, and both ways
/// of the bus with pinned memory. Needs about 6 GB. Throws ResourceError, DeviceError.
std::vector<Ceiling> measure_device_ceilings(cudaStream_t stream);

}  // namespace gsx::cuda
