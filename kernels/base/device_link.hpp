// A GPU that the library has taken: its memory, its stream, and its way to and from the host.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "kernels/base/current_device.hpp"
#include "kernels/base/device.hpp"
#include "kernels/base/memory_pool.hpp"
#include "kernels/base/stream.hpp"
#include "kernels/base/transfer.hpp"

namespace gsx::cuda {

class DeviceLink {
 public:
  /// Takes up to `memory_limit` bytes of the GPU. Throws DeviceError.
  DeviceLink(int device, std::uint64_t memory_limit);
  ~DeviceLink();
  DeviceLink(const DeviceLink&) = delete;
  DeviceLink& operator=(const DeviceLink&) = delete;

  int device() const { return pool_->device(); }
  /// Shared with what outlives the link, such as an index on the device.
  const std::shared_ptr<MemoryPool>& pool() const { return pool_; }
  DeviceStream stream() const { return {stream_->get(), pool_.get()}; }
  /// To be called before any work, and kept until it is done.
  CurrentDevice make_current() const { return CurrentDevice(device()); }
  /// Made with the first request, because only that says how many threads there are. Pre: the GPU
  /// is current.
  Transfer& transfer(int threads) {
    if (!transfer_) transfer_.emplace(device(), threads);
    return *transfer_;
  }

 private:
  std::shared_ptr<MemoryPool> pool_;
  std::optional<Stream> stream_;
  std::optional<Transfer> transfer_;
};

/// Lets these GPUs reach each other's memory of MemoryKind::linked, where there is a way; else
/// copies between them go by way of the host.
void link_memory(std::span<const std::shared_ptr<DeviceLink>> links);

}  // namespace gsx::cuda
