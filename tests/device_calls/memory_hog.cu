#include "device_calls/memory_hog.hpp"
#include "kernels/base/cuda_error.hpp"

namespace gsx::testing {

MemoryHog::MemoryHog(std::size_t left) {
  cudaMemPool_t pool = nullptr;
  GSX_CUDA_CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
  GSX_CUDA_CHECK(cudaDeviceSynchronize());
  GSX_CUDA_CHECK(cudaMemPoolTrimTo(pool, 0));
  std::size_t free = 0, total = 0;
  GSX_CUDA_CHECK(cudaMemGetInfo(&free, &total));
  // Memory comes in pages, so not all that is free may be had at once.
  for (std::size_t spared = left; spared < free; spared += std::size_t{32} << 20) {
    if (cudaMalloc(&memory_, free - spared) == cudaSuccess) return;
    (void)cudaGetLastError();
  }
}

MemoryHog::~MemoryHog() {
  (void)cudaFree(memory_);
}

}  // namespace gsx::testing
