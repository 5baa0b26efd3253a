// Device memory as a user of gsx/device.cuh has it.
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "device_calls/device_call.hpp"
#include "kernels/base/cuda_error.hpp"
#include "kernels/gsx/device.cuh"

namespace gsx::testing {

/// An array as a user has it: from cudaMalloc.
template <class T>
class UserArray {
 public:
  explicit UserArray(std::size_t size) : size_(size) {
    GSX_CUDA_CHECK(cudaMalloc(&data_, std::max<std::size_t>(1, size * sizeof(T))));
  }
  template <class Values>
  static UserArray of(const Values& values) {
    UserArray array(values.size());
    GSX_CUDA_CHECK(
        cudaMemcpy(array.data_, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
    return array;
  }
  UserArray(UserArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(other.size_) {}
  UserArray(const UserArray&) = delete;
  ~UserArray() { (void)cudaFree(data_); }

  T* data() const { return data_; }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};

template <class T>
std::vector<T> to_host(const T* d_values, std::size_t size) {
  std::vector<T> values(size);
  GSX_CUDA_CHECK(cudaMemcpy(values.data(), d_values, size * sizeof(T), cudaMemcpyDeviceToHost));
  return values;
}

/// The stream and the pool of a call.
class UserSetup {
 public:
  explicit UserSetup(const DeviceCall& call) {
    if (call.own_stream) GSX_CUDA_CHECK(cudaStreamCreate(&stream_));
    memory_.limit = call.limit;
    if (!call.callers_pool) return;
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    GSX_CUDA_CHECK(cudaGetDevice(&properties.location.id));
    GSX_CUDA_CHECK(cudaMemPoolCreate(&memory_.pool, &properties));
  }
  UserSetup(const UserSetup&) = delete;
  UserSetup& operator=(const UserSetup&) = delete;
  ~UserSetup() {
    if (stream_ != nullptr) (void)cudaStreamDestroy(stream_);
    if (memory_.pool != nullptr) (void)cudaMemPoolDestroy(memory_.pool);
  }

  cudaStream_t stream() const { return stream_; }
  const DeviceMemory& memory() const { return memory_; }

 private:
  cudaStream_t stream_ = nullptr;
  DeviceMemory memory_;
};

}  // namespace gsx::testing
