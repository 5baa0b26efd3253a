#include "kernels/runtime/transfer.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "base/bits.hpp"
#include "kernels/runtime/current_device.hpp"
#include "kernels/runtime/tuning.hpp"

namespace gsx::cuda {

namespace {

int lanes_for(int threads) {
  return std::clamp(threads, 1, tuning::transfer_lanes);
}

}  // namespace

bool FreshPages::make_some() {
  constexpr std::int64_t least_page = 4096, huge_page = std::int64_t{2} << 20;
  const std::int64_t end = left_.fetch_sub(huge_page, std::memory_order_relaxed);
  if (end <= 0) return false;
  for (std::int64_t at = std::max<std::int64_t>(end - huge_page, 0); at < end; at += least_page) {
    volatile unsigned char& byte = begin_[at];
    byte = byte;
  }
  return true;
}

Transfer::Transfer(int device, int threads) : device_(device), threads_(lanes_for(threads)) {
  for (int i = 0; i < lanes_for(threads); ++i) {
    lanes_.push_back(std::make_unique<Lane>(tuning::transfer_bytes));
  }
}

/// Each lane takes the next piece when it is done with one. A short copy is cut into smaller
/// pieces, so that all lanes have some, and the bus and the host's memory work at the same time.
template <class CopyPiece>
void Transfer::for_each_piece(std::uint64_t bytes, const CopyPiece& copy) {
  if (bytes == 0) return;
  const std::uint64_t size = std::clamp(divide_up(bytes, 2 * lanes_.size()),
                                        tuning::least_transfer_bytes, tuning::transfer_bytes);
  const std::uint64_t pieces = divide_up(bytes, size);
  std::atomic<std::uint64_t> taken{0};
  const auto lanes = static_cast<int>(std::min<std::uint64_t>(lanes_.size(), pieces));
  threads_.run(lanes, [&](int lane) {
    const CurrentDevice current(device_);
    for (std::uint64_t piece = taken++; piece < pieces; piece = taken++) {
      const std::uint64_t begin = piece * size;
      copy(*lanes_[static_cast<std::size_t>(lane)], begin, std::min(size, bytes - begin));
    }
  });
}

void Transfer::to_device(void* d_target, const void* h_source, std::uint64_t bytes) {
  for_each_piece(bytes, [&](const Lane& lane, std::uint64_t begin, std::uint64_t count) {
    std::memcpy(lane.pinned.data(), static_cast<const char*>(h_source) + begin, count);
    GSX_CUDA_CHECK(cudaMemcpyAsync(static_cast<char*>(d_target) + begin, lane.pinned.data(), count,
                                   cudaMemcpyHostToDevice, lane.stream.get()));
    lane.stream.synchronize();
  });
}

void Transfer::to_host(void* h_target, const void* d_source, std::uint64_t bytes) {
  for_each_piece(bytes, [&](const Lane& lane, std::uint64_t begin, std::uint64_t count) {
    GSX_CUDA_CHECK(cudaMemcpyAsync(lane.pinned.data(), static_cast<const char*>(d_source) + begin,
                                   count, cudaMemcpyDeviceToHost, lane.stream.get()));
    lane.stream.synchronize();
    std::memcpy(static_cast<char*>(h_target) + begin, lane.pinned.data(), count);
  });
}

bool Transfer::make_pages(FreshPages& pages, const std::atomic<bool>& stop) {
  threads_.run(static_cast<int>(lanes_.size()), [&](int) {
    while (!stop.load(std::memory_order_relaxed) && pages.make_some()) {
    }
  });
  return pages.are_made();
}

}  // namespace gsx::cuda
