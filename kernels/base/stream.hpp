// Owner of a CUDA stream.
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/base/cuda_error.hpp"

namespace gsx::cuda {

class Stream {
 public:
  /// Blocks of kernels on streams of high priority start first.
  enum class Priority : int { high = -1, normal = 0 };  // as CUDA numbers them

  explicit Stream(Priority priority = Priority::normal) {
    GSX_CUDA_CHECK(
        cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, static_cast<int>(priority)));
  }
  /// Waits for all work. What was freed on the stream is free then: a pool must not be destroyed
  /// while it has frees to come on a stream that is gone. Errors of a runtime that is being torn
  /// down concern nobody.
  ~Stream() {
    (void)cudaStreamSynchronize(stream_);
    (void)cudaStreamDestroy(stream_);
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  cudaStream_t get() const { return stream_; }
  /// Waits for all work; throws what that work failed with.
  void synchronize() const { GSX_CUDA_CHECK(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_ = nullptr;
};

}  // namespace gsx::cuda
