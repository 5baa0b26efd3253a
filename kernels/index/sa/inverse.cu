#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/tuning.hpp"
#include "kernels/index/sa/inverse.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

template <class Pos>
__global__ void invert_kernel(const Pos* d_rows, std::uint64_t size, Pos* d_inverse) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < size) d_inverse[d_rows[i]] = static_cast<Pos>(i);
}

}  // namespace

template <class Pos>
void invert_async(const Pos* d_rows, std::uint64_t size, Pos* d_inverse, cudaStream_t stream) {
  if (size == 0) return;
  invert_kernel<<<blocks_for(size, block_threads), block_threads, 0, stream>>>(d_rows, size,
                                                                               d_inverse);
  GSX_CUDA_CHECK(cudaGetLastError());
}

template void invert_async(const std::uint32_t*, std::uint64_t, std::uint32_t*, cudaStream_t);
template void invert_async(const std::uint64_t*, std::uint64_t, std::uint64_t*, cudaStream_t);

}  // namespace gsx::cuda
