#include "kernels/device_buffer.hpp"

namespace gsx::cuda {

void* allocate_device_bytes(std::size_t bytes, cudaStream_t stream) {
  if (bytes == 0) return nullptr;
  void* pointer = nullptr;
  const cudaError_t status = cudaMallocAsync(&pointer, bytes, stream);
  if (status == cudaErrorMemoryAllocation) {
    (void)cudaGetLastError();
    std::size_t free = 0, total = 0;
    GSX_CUDA_CHECK(cudaMemGetInfo(&free, &total));
    throw ResourceError("out of GPU memory: " + std::to_string(bytes) + " bytes asked for, " +
                        std::to_string(free) + " of " + std::to_string(total) + " are free");
  }
  GSX_CUDA_CHECK(status);
  return pointer;
}

}  // namespace gsx::cuda
