// Large copies between pageable host memory and the device at the bus's own speed.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/base/lane_threads.hpp"
#include "kernels/base/pinned_buffer.hpp"
#include "kernels/base/stream.hpp"

namespace gsx::cuda {

/// An array of the host whose pages may not exist yet. What it holds does not change.
class FreshPages {
 public:
  FreshPages(void* begin, std::uint64_t bytes)
      : begin_(static_cast<unsigned char*>(begin)),
        step_(bytes < most_small ? small_step : huge_page),
        left_(static_cast<std::int64_t>(bytes)) {}

  /// Makes the last pages that have not been made. Returns false if none were left. For several
  /// threads at once.
  bool make_some();
  bool are_made() const { return left_.load(std::memory_order_relaxed) <= 0; }

 private:
  /// Large arrays have huge pages, each of which one thread is to make; of others, a thread makes
  /// few at a time, because a copy may be waiting for it.
  static constexpr std::int64_t huge_page = std::int64_t{2} << 20, small_step = 256 << 10;
  static constexpr std::uint64_t most_small = std::uint64_t{16} << 20;

  unsigned char* begin_;
  std::int64_t step_;
  std::atomic<std::int64_t> left_;  ///< bytes from `begin_` on
};

/// Lanes of one thread, one stream and one pinned buffer each. While one lane's piece crosses the
/// bus, others copy theirs between pinned and pageable memory, which also spreads the page faults
/// of a fresh destination over the threads. Several threads that call take turns.
class Transfer {
 public:
  /// Lanes for the current device; at most `threads`.
  Transfer(int device, int threads);

  int device() const { return device_; }
  /// Copies and waits. Everything queued on other streams must have finished.
  /// Throws DeviceError.
  void to_device(void* d_target, const void* h_source, std::uint64_t bytes);
  void to_host(void* h_target, const void* d_source, std::uint64_t bytes);
  /// Makes pages until there are none left, or another thread sets `stop`. Returns whether none are
  /// left. Pre: nobody else writes to the array meanwhile.
  bool make_pages(FreshPages& pages, const std::atomic<bool>& stop);

 private:
  struct Lane {
    explicit Lane(std::size_t bytes) : pinned(bytes) {}
    Stream stream;
    PinnedBuffer pinned;
  };
  template <class CopyPiece>
  void for_each_piece(std::uint64_t bytes, const CopyPiece& copy);

  int device_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  LaneThreads threads_;
};

}  // namespace gsx::cuda
