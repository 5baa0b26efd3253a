// How fast the device builds wavelet sequences and answers their queries.
#pragma once

#include <cstdint>
#include <vector>

#include "bench/device_bench.hpp"
#include "kernels/base/memory_pool.hpp"

namespace gsx::cuda {

/// As measure_cpu_wavelet(), of numbers of 32 bits in device memory; ranks of 64 bits from host
/// memory, too. Throws ResourceError, DeviceError.
std::vector<QueryRate> measure_device_wavelet(std::uint64_t size, int threads, DeviceStream stream);

}  // namespace gsx::cuda
