#include "arrays/rank/quad_vector.hpp"
#include "kernels/arrays/rank/digit_sort.hpp"
#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/tuning.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

/// Consecutive codes of one digit go to consecutive places, so that a warp fills four short runs.
template <class Code>
__global__ void sort_kernel(QuadView level, const Code* d_codes, std::uint32_t shift,
                            bool leaves_holes, Code* d_sorted) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= level.size) return;
  const Code code = d_codes[i];
  if (leaves_holes && code == QuadVector::hole) return;
  d_sorted[level.sorted_rank(static_cast<std::uint32_t>(code) >> shift & 3, i)] = code;
}

}  // namespace

template <class Code>
void sort_by_digit_async(const QuadView& d_level, const Code* d_codes, std::uint32_t shift,
                         bool leaves_holes, Code* d_sorted, cudaStream_t stream) {
  if (d_level.size == 0) return;
  sort_kernel<<<blocks_for(d_level.size, block_threads), block_threads, 0, stream>>>(
      d_level, d_codes, shift, leaves_holes, d_sorted);
  GSX_CUDA_CHECK(cudaGetLastError());
}

template void sort_by_digit_async(const QuadView&, const std::uint8_t*, std::uint32_t, bool,
                                  std::uint8_t*, cudaStream_t);
template void sort_by_digit_async(const QuadView&, const std::uint16_t*, std::uint32_t, bool,
                                  std::uint16_t*, cudaStream_t);
template void sort_by_digit_async(const QuadView&, const std::uint32_t*, std::uint32_t, bool,
                                  std::uint32_t*, cudaStream_t);

}  // namespace gsx::cuda
