// Measures the memory limits of this machine.
#pragma once

#include <vector>

#include "bench/device_bench.hpp"

namespace gsx {

/// Copy bandwidth, and random 64-byte lines per second from 16 MB to 1 GB, prefetched in batches of
/// 32 as searches do.
std::vector<Ceiling> measure_cpu_ceilings(int threads);

}  // namespace gsx
