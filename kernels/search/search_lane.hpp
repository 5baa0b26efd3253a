// What one thread needs to search on a device.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "kernels/runtime/copies.hpp"
#include "kernels/runtime/pinned_buffer.hpp"
#include "kernels/runtime/stream.hpp"
#include "kernels/search/packed_patterns.hpp"

namespace gsx::cuda {

/// A stream, and pinned memory through which whatever goes to or comes from the device passes.
class SearchLane {
 public:
  /// What is allocated on its stream comes from `pool`. Pre: the pool's GPU is current.
  explicit SearchLane(MemoryPool& pool);

  DeviceStream stream() const { return {stream_.get(), &pool_}; }
  /// Copies and waits. Throws DeviceError.
  void to_device(void* d_target, const void* h_source, std::uint64_t bytes);
  void to_host(void* h_target, const void* d_source, std::uint64_t bytes);

  /// Patterns [first, last) on the device. Waits. Throws ResourceError, DeviceError.
  PackedPatterns upload(const Patterns& patterns, std::uint64_t first, std::uint64_t last,
                        std::uint32_t bits, std::uint32_t sigma);

 private:
  MemoryPool& pool_;
  Stream stream_;
  PinnedBuffer pinned_;
};

/// Lanes for as many threads as search at the same time.
class SearchLanes {
 public:
  explicit SearchLanes(MemoryPool& pool) : pool_(pool) {}

  /// Lends a lane until the guard goes.
  class Guard {
   public:
    Guard(SearchLanes& lanes, std::unique_ptr<SearchLane> lane)
        : lanes_(lanes), lane_(std::move(lane)) {}
    ~Guard() { lanes_.give_back(std::move(lane_)); }
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;
    SearchLane& operator*() const { return *lane_; }

   private:
    SearchLanes& lanes_;
    std::unique_ptr<SearchLane> lane_;
  };
  /// Throws DeviceError.
  Guard take();

 private:
  void give_back(std::unique_ptr<SearchLane> lane) noexcept;

  MemoryPool& pool_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<SearchLane>> idle_;
  std::size_t made_ = 0;
};

}  // namespace gsx::cuda
