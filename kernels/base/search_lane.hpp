// What a slice of a batch needs to be searched on a device.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "kernels/base/device_buffer.hpp"
#include "kernels/base/event.hpp"
#include "kernels/base/pinned_buffer.hpp"
#include "kernels/base/stream.hpp"

namespace gsx::cuda {

/// How a thread waits for its stream: awake at first and then asleep, where it has a core of its
/// own; or asleep at once, where others need the core, and the driver, which a thread that polls
/// keeps from those that launch.
enum class Waiting : std::uint8_t { awake_first, asleep };

/// A stream, and memory on both sides of the bus that is kept from batch to batch. Its kernels go
/// before those that make an index faster meanwhile.
class SearchLane {
 public:
  /// What is allocated on its stream comes from `pool`. Pre: the pool's GPU is current.
  SearchLane(MemoryPool& pool, Waiting waiting);
  /// Waits for what was queued and never waited for. Pre: the pool's GPU is current.
  ~SearchLane();
  SearchLane(const SearchLane&) = delete;
  SearchLane& operator=(const SearchLane&) = delete;

  DeviceStream stream() const { return {stream_.get(), &pool_}; }

  /// Memory for a slice of a batch: `on_device` bytes there, and `on_host` bytes for what crosses
  /// the bus. What an earlier slice left is lost. Throws ResourceError, DeviceError,
  /// std::bad_alloc.
  void begin(std::uint64_t on_device, std::uint64_t on_host);
  std::uint8_t* device() { return on_device_.data(); }
  /// Bytes on the device that it holds.
  std::uint64_t device_bytes() const { return on_device_.size(); }
  std::uint8_t* host() const { return large_ ? large_.get() : pinned_bytes(); }
  /// Copies the first `bytes` of host() to device(), or bytes of the device to the beginning of
  /// host(); what comes back is there after wait(). Asynchronous unless the slice is too large for
  /// pinned memory. Throws DeviceError.
  void send(std::uint64_t bytes);
  void fetch(const std::uint8_t* d_source, std::uint64_t bytes);
  /// Waits for all that was queued.
  void wait();

  /// Copies from or to memory of the caller's, and waits. What host() holds is lost unless it is
  /// too large for pinned memory. Pre: begin() was called. Throws DeviceError.
  void to_device(void* d_target, const void* h_source, std::uint64_t bytes);
  void to_host(void* h_target, const void* d_source, std::uint64_t bytes);

  /// Hits that a slice may well have, from what the last four had: one with more is searched twice.
  std::uint64_t expected_hits(std::uint64_t patterns) const;
  void note_hits(std::uint64_t patterns, std::uint64_t hits);

  /// Gives back memory that only large slices need, or all of the device's.
  void trim();
  void release();

 private:
  struct NotedHits {
    std::uint64_t patterns = 0;
    std::uint64_t hits = 0;
  };

  std::uint8_t* pinned_bytes() const { return static_cast<std::uint8_t*>(pinned_->data()); }

  MemoryPool& pool_;
  Waiting waiting_;
  Stream stream_{Stream::Priority::high};
  Event done_;
  bool queued_ = false;  ///< whether the stream may still use the memory
  DeviceBuffer<std::uint8_t> on_device_;
  std::unique_ptr<PinnedBuffer> pinned_;
  std::unique_ptr<std::uint8_t[]> large_;  ///< host(), where pinned memory would be too large
  std::array<NotedHits, 4> last_;          ///< of the last slices
  std::uint64_t noted_ = 0;                ///< slices
};

/// Lanes for as many slices as are searched at the same time: of each thread one, or two if it
/// starts searches.
class SearchLanes {
 public:
  explicit SearchLanes(MemoryPool& pool, Waiting waiting = Waiting::awake_first)
      : pool_(pool), waiting_(waiting) {}

  /// Lends a lane until the guard goes.
  class Guard {
   public:
    Guard(SearchLanes& lanes, std::unique_ptr<SearchLane> lane)
        : lanes_(lanes), lane_(std::move(lane)) {}
    ~Guard() { lanes_.give_back(std::move(lane_)); }
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;
    SearchLane& operator*() const { return *lane_; }
    SearchLane* operator->() const { return lane_.get(); }

   private:
    SearchLanes& lanes_;
    std::unique_ptr<SearchLane> lane_;
  };
  /// Throws DeviceError.
  Guard take();

  /// Gives back the device memory of the lanes that nobody uses.
  void release_idle();

 private:
  void give_back(std::unique_ptr<SearchLane> lane) noexcept;

  MemoryPool& pool_;
  Waiting waiting_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<SearchLane>> idle_;
  std::size_t made_ = 0;
};

}  // namespace gsx::cuda
