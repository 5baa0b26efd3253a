// How fast the device finds neighbours in sets of short sequences, and longest prefixes.
#pragma once

#include <cstdint>
#include <vector>

#include "bench/device_bench.hpp"
#include "kernels/base/device_link.hpp"

namespace gsx::cuda {

/// As measure_neighbors() (bench/cpu_sets.hpp), with keys and pairs in device memory, step by step;
/// and from host memory. Throws ResourceError, DeviceError. Pre: size is from 1 to 2^31 - 1.
std::vector<QueryRate> measure_device_neighbors(std::uint64_t size, int threads, DeviceLink& link);
/// As measure_cpu_prefixes(), with as many queries, but at most 2^28, in device memory.
std::vector<QueryRate> measure_device_prefixes(std::uint64_t size, int threads, DeviceLink& link);

}  // namespace gsx::cuda
