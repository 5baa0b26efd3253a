#include "kernels/runtime/device_buffer.hpp"

#include <atomic>
#include <limits>

#include "base/out_of_memory.hpp"

namespace gsx::cuda {
namespace {

std::atomic<std::uint64_t> limit{std::numeric_limits<std::uint64_t>::max()};

/// Bytes in use in the current device's pool.
std::uint64_t used_bytes() {
  int device = 0;
  GSX_CUDA_CHECK(cudaGetDevice(&device));
  cudaMemPool_t pool = nullptr;
  GSX_CUDA_CHECK(cudaDeviceGetDefaultMemPool(&pool, device));
  std::uint64_t used = 0;
  GSX_CUDA_CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
  return used;
}

[[noreturn]] void fail(std::size_t bytes, std::uint64_t free, const std::string& of) {
  throw OutOfMemoryError("out of GPU memory: " + std::to_string(bytes) + " bytes asked for, " +
                         std::to_string(free) + " of " + of + " are free");
}

}  // namespace

void set_memory_limit(std::uint64_t bytes) {
  limit = bytes;
}

std::uint64_t memory_limit() {
  return limit;
}

void* allocate_device_bytes(std::size_t bytes, cudaStream_t stream) {
  if (bytes == 0) return nullptr;
  if (limit != std::numeric_limits<std::uint64_t>::max()) {
    const std::uint64_t used = used_bytes();
    const std::uint64_t left = used < limit ? limit - used : 0;
    if (bytes > left) fail(bytes, left, "the " + std::to_string(limit) + " allowed");
  }
  void* pointer = nullptr;
  const cudaError_t status = cudaMallocAsync(&pointer, bytes, stream);
  if (status == cudaErrorMemoryAllocation) {
    (void)cudaGetLastError();
    std::size_t free = 0, total = 0;
    GSX_CUDA_CHECK(cudaMemGetInfo(&free, &total));
    fail(bytes, free, std::to_string(total));
  }
  GSX_CUDA_CHECK(status);
  return pointer;
}

}  // namespace gsx::cuda
