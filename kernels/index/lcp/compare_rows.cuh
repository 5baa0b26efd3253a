// What neighbouring rows of a suffix array have in common, up to a bound.
#pragma once

#include <cstdint>

#include "index/lcp/common_prefix.hpp"
#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/tuning.hpp"
#include "text/text_view.hpp"

namespace gsx::cuda {

template <class Pos, class Length>
__global__ void compare_rows_kernel(TextView text, const Pos* d_rows, std::uint64_t count,
                                    std::uint32_t cap, Length* d_lcps) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= count) return;
  std::uint64_t lcp = 0;
  if (i > 0) {
    const BoundedSuffix here(text, d_rows[i]), above(text, d_rows[i - 1]);
    lcp = here.common_prefix(text.symbols, above, 0, cap);
  }
  d_lcps[i] = static_cast<Length>(lcp);
}

/// Writes what each row shares with the one before, up to `cap` symbols, to d_lcps, [count]; the
/// first one nothing. Cost: two random lines of text per row. Asynchronous.
template <class Pos, class Length>
void compare_rows_async(const TextView& d_text, const Pos* d_rows, std::uint64_t count,
                        std::uint32_t cap, Length* d_lcps, cudaStream_t stream) {
  compare_rows_kernel<<<blocks_for(count, tuning::block_threads), tuning::block_threads, 0,
                        stream>>>(d_text, d_rows, count, cap, d_lcps);
  GSX_CUDA_CHECK(cudaGetLastError());
}

}  // namespace gsx::cuda
