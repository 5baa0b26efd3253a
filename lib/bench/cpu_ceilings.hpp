// What the memory of this machine can do at best.
#pragma once

#include <vector>

#include "bench/device_bench.hpp"

namespace gsx {

/// Copy bandwidth, and random 64-byte lines a second from 16 MB to 1 GB with prefetch in
/// batches of 32, which is how searches read.
std::vector<Ceiling> measure_cpu_ceilings(int threads);

}  // namespace gsx
