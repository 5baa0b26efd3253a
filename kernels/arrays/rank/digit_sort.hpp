// Codes of a level in the order of the next one.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "arrays/rank/quad_view.hpp"

namespace gsx::cuda {

/// Sorts the codes of a level, of 8, 16 or 32 bits, stably by its digit, the two bits at `shift`;
/// with `leaves_holes`, those of QuadVector::hole are left out. The level's rank blocks say where
/// each code goes. Asynchronous. Cost: one pass over codes and blocks, and a scatter to four runs.
/// Throws DeviceError.
template <class Code>
void sort_by_digit_async(const QuadView& d_level, const Code* d_codes, std::uint32_t shift,
                         bool leaves_holes, Code* d_sorted, cudaStream_t stream);

}  // namespace gsx::cuda
