// How fast the device answers queries that lie in its own memory.
#pragma once

#include <vector>

#include "bench/device_bench.hpp"
#include "kernels/base/memory_pool.hpp"
#include "kernels/base/transfer.hpp"

namespace gsx::cuda {

/// Rates of access, rank and select at random places of the BWT; of counting reads of several
/// lengths from the text, with errors, and at random, with and without comparing candidates with
/// the text; and of locating rows, by the whole suffix array and by samples. Packing the reads is
/// counted in. Throws ResourceError, DeviceError.
std::vector<QueryRate> measure_device_queries(const Index& index, Transfer& transfer,
                                              DeviceStream stream);

}  // namespace gsx::cuda
