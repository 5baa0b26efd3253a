// How fast the device packs and unpacks integers, beside copying them.
#pragma once

#include <cstdint>
#include <vector>

#include "bench/device_bench.hpp"
#include "kernels/base/memory_pool.hpp"

namespace gsx::cuda {

/// Rates for `size` random integers, fewer than 2^32, in the widths that `gsx bench` measures on
/// the CPU. Throws ResourceError, DeviceError.
std::vector<QueryRate> measure_device_packing(std::uint64_t size, int threads, DeviceStream stream);

}  // namespace gsx::cuda
