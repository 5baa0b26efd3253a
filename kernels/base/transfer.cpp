#include "kernels/base/transfer.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>

#include "base/bits.hpp"
#include "kernels/base/current_device.hpp"
#include "kernels/base/tuning.hpp"

namespace gsx::cuda {

namespace {

/// Makes all pages of an array with one call, where the system can.
bool populate([[maybe_unused]] unsigned char* begin, [[maybe_unused]] unsigned char* end) {
#ifdef MADV_POPULATE_WRITE
  static const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto first = reinterpret_cast<std::uintptr_t>(begin) / page * page;
  const auto bytes = reinterpret_cast<std::uintptr_t>(end) - first;
  return madvise(reinterpret_cast<void*>(first), bytes, MADV_POPULATE_WRITE) == 0;
#else
  return false;
#endif
}

int lanes_for(int threads) {
  return std::clamp(threads, 1, tuning::transfer_lanes);
}

}  // namespace

bool FreshPages::make_some() {
  constexpr std::int64_t least_page = 4096;
  const std::int64_t end = left_.fetch_sub(step_, std::memory_order_relaxed);
  if (end <= 0) return false;
  const std::int64_t begin = std::max<std::int64_t>(end - step_, 0);
  if (populate(begin_ + begin, begin_ + end)) return true;
  for (std::int64_t at = begin; at < end; at += least_page) {
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
