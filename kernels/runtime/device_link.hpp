// A GPU that the library has taken: its stream, and its way to and from the host.
#pragma once

#include <cstdint>
#include <optional>

#include "kernels/runtime/device.hpp"
#include "kernels/runtime/device_buffer.hpp"
#include "kernels/runtime/stream.hpp"
#include "kernels/runtime/transfer.hpp"

namespace gsx::cuda {

class DeviceLink {
 public:
  /// Takes up to `memory_limit` bytes of the GPU. Throws DeviceError.
  DeviceLink(int device, std::uint64_t memory_limit) : device_(taken(device, memory_limit)) {}

  int device() const { return device_; }
  cudaStream_t stream() const { return stream_.get(); }
  /// The current device is a property of each thread, which another back end may have changed: to
  /// be called before any work.
  void make_current() const { cuda::make_current(device_); }
  /// Made with the first request, because only that says how many threads there are.
  Transfer& transfer(int threads) {
    if (!transfer_) transfer_.emplace(device_, threads);
    return *transfer_;
  }

 private:
  static int taken(int device, std::uint64_t memory_limit) {
    use_device(device);
    set_memory_limit(memory_limit);
    return device;
  }

  int device_;
  Stream stream_;
  std::optional<Transfer> transfer_;
};

}  // namespace gsx::cuda
