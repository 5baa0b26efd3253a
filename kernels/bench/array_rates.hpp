// How fast the device finds nearest smaller values, range minima and LCP arrays in its own memory.
#pragma once

#include <vector>

#include "bench/device_bench.hpp"
#include "kernels/base/memory_pool.hpp"
#include "kernels/base/transfer.hpp"

namespace gsx::cuda {

/// As measure_cpu_arrays() and measure_cpu_lcp(). Throws ResourceError, DeviceError.
std::vector<QueryRate> measure_device_arrays(std::uint64_t size, DeviceStream stream);
std::vector<QueryRate> measure_device_lcp(const TextView& text, Transfer& transfer,
                                          DeviceStream stream);

}  // namespace gsx::cuda
