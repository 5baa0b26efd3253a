// Owner of device memory.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "kernels/base/cuda_error.hpp"
#include "kernels/base/memory_pool.hpp"

namespace gsx::cuda {

/// Owns `size` uninitialised elements on the device; moves only; freed in stream order. The
/// pool must outlive it.
template <class T>
class DeviceBuffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  DeviceBuffer() = default;
  /// Throws ResourceError, DeviceError.
  DeviceBuffer(std::size_t size, DeviceStream stream, MemoryKind kind = MemoryKind::own)
      : data_(static_cast<T*>(stream.pool->allocate(size * sizeof(T), stream, kind))),
        size_(size),
        stream_(stream) {}
  DeviceBuffer(DeviceBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        stream_(other.stream_) {}
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    DeviceBuffer taken(std::move(other));
    std::swap(data_, taken.data_);
    std::swap(size_, taken.size_);
    std::swap(stream_, taken.stream_);
    return *this;
  }
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;
  ~DeviceBuffer() {
    if (data_ != nullptr) stream_.pool->free(data_, bytes(), stream_);
  }

  /// Frees it in the order of `stream` from now on. Pre: work on that stream comes after what has
  /// been queued for the buffer, and what will be queued comes on that stream.
  void move_to(DeviceStream stream) { stream_ = stream; }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(T); }

  /// Copies the whole buffer from or to host memory, which must live until the stream is
  /// synchronised.
  void copy_from_async(const T* h_source) {
    GSX_CUDA_CHECK(cudaMemcpyAsync(data_, h_source, bytes(), cudaMemcpyHostToDevice, stream_));
  }
  void copy_to_async(T* h_target) const {
    GSX_CUDA_CHECK(cudaMemcpyAsync(h_target, data_, bytes(), cudaMemcpyDeviceToHost, stream_));
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
  DeviceStream stream_;
};

/// The first element of a buffer. Waits for the stream.
template <class T>
T first_value(const DeviceBuffer<T>& buffer, cudaStream_t stream) {
  T value;
  GSX_CUDA_CHECK(
      cudaMemcpyAsync(&value, buffer.data(), sizeof value, cudaMemcpyDeviceToHost, stream));
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
  return value;
}

}  // namespace gsx::cuda
