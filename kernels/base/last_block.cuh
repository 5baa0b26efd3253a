// What the last block of a grid does for all.
#pragma once

#include <cstdint>

namespace gsx::cuda {

/// Calls last() in all threads of one block, once all blocks of the grid have come here; what they
/// have written to global memory before can be read by volatile loads. Makes *d_arrived 0 again.
/// Pre: all threads of all blocks call.
template <class Last>
__device__ void as_last_block(unsigned* d_arrived, const Last& last) {
  __shared__ bool is_last;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    is_last = atomicAdd(d_arrived, 1u) == gridDim.x - 1;
    if (is_last) *d_arrived = 0;
  }
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  last();
}

}  // namespace gsx::cuda
