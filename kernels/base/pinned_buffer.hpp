// Owner of page-locked host memory.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "kernels/base/cuda_error.hpp"

namespace gsx::cuda {

class PinnedBuffer {
 public:
  explicit PinnedBuffer(std::size_t bytes) : bytes_(bytes) {
    GSX_CUDA_CHECK(cudaMallocHost(&data_, bytes));
  }
  ~PinnedBuffer() { (void)cudaFreeHost(data_); }
  PinnedBuffer(const PinnedBuffer&) = delete;
  PinnedBuffer& operator=(const PinnedBuffer&) = delete;

  void* data() const { return data_; }
  std::size_t size() const { return bytes_; }

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace gsx::cuda
