// Measures the memory limits of this machine.
#pragma once

#include <cstdint>
#include <vector>

#include "bench/device_bench.hpp"

namespace gsx {

/// Copy bandwidth, and random 64-byte lines per second, prefetched in batches of 32 as searches do:
/// from tables of 16 MB and more, up to the first that holds `bytes`, or to 1 GB.
std::vector<Ceiling> measure_cpu_ceilings(int threads, std::uint64_t bytes);

}  // namespace gsx
