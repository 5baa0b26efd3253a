// Owner of device memory.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "base/error.hpp"
#include "kernels/runtime/cuda_error.hpp"

namespace gsx::cuda {

/// Limits how many bytes of device memory this program may hold at a time, so that it can share a
/// GPU and so that tests can run out of it. Without a call there is no limit.
void set_memory_limit(std::uint64_t bytes);
std::uint64_t memory_limit();

/// `bytes` of device memory in stream order. Throws ResourceError that says how many bytes were
/// asked for and how many are free.
void* allocate_device_bytes(std::size_t bytes, cudaStream_t stream);

/// Owns `size` uninitialised elements on the device; moves only; freed in stream order.
template <class T>
class DeviceBuffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  DeviceBuffer() = default;
  DeviceBuffer(std::size_t size, cudaStream_t stream)
      : data_(static_cast<T*>(allocate_device_bytes(size * sizeof(T), stream))),
        size_(size),
        stream_(stream) {}
  DeviceBuffer(DeviceBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        stream_(other.stream_) {}
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(stream_, other.stream_);
    return *this;
  }
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;
  ~DeviceBuffer() {
    if (data_ != nullptr) (void)cudaFreeAsync(data_, stream_);
  }

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
  cudaStream_t stream_ = nullptr;
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
