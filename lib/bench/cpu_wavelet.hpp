// How fast the CPU builds wavelet sequences and answers their queries.
#pragma once

#include <cstdint>
#include <vector>

#include "bench/device_bench.hpp"

namespace gsx {

/// Rates for the sequences of measured_sequences, of `size` elements, fewer than 2^32. Throws
/// ResourceError.
std::vector<QueryRate> measure_cpu_wavelet(std::uint64_t size, int threads, CpuPath path);

}  // namespace gsx
