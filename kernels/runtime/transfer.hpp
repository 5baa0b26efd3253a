// Large copies between pageable host memory and the device at the bus's own speed.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/runtime/pinned_buffer.hpp"
#include "kernels/runtime/stream.hpp"

namespace gsx::cuda {

/// Lanes of one thread, one stream and one pinned buffer each. While one lane's piece crosses the
/// bus, others copy theirs between pinned and pageable memory, which also spreads the page faults
/// of a fresh destination over the threads. Not for several threads at once.
class Transfer {
 public:
  /// Lanes for the current device; at most `threads`.
  Transfer(int device, int threads);

  int device() const { return device_; }
  /// Copies and waits. Everything queued on other streams must have finished.
  /// Throws DeviceError.
  void to_device(void* d_target, const void* h_source, std::uint64_t bytes);
  void to_host(void* h_target, const void* d_source, std::uint64_t bytes);

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
};

}  // namespace gsx::cuda
