// Checking an FM-index on the GPU.
#pragma once

#include "fm/bwt_walk.hpp"
#include "kernels/device_buffer.hpp"
#include "sa/suffix_array.hpp"

namespace gsx::cuda {

/// Whether every piece of the walk through an index in device memory goes without a fault, which is
/// whether the CPU's walk does. A thread a piece, and the next when that ends.
/// Pre: all counts are right (rank/quad_check.hpp), which bounds the work by n steps whatever else
/// the index holds. Cost: n LF steps. Waits for the stream. Throws DeviceError.
bool walks_without_fault(const BwtWalk& d_walk, PositionWidth width, cudaStream_t stream);

}  // namespace gsx::cuda
