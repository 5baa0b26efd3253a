#include "kernels/search/search_lane.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "kernels/runtime/tuning.hpp"

namespace gsx::cuda {

SearchLane::SearchLane(MemoryPool& pool) : pool_(pool), pinned_(tuning::transfer_bytes) {}

void SearchLane::to_device(void* d_target, const void* h_source, std::uint64_t bytes) {
  for (std::uint64_t done = 0; done < bytes; done += pinned_.size()) {
    const std::uint64_t some = std::min<std::uint64_t>(pinned_.size(), bytes - done);
    std::memcpy(pinned_.data(), static_cast<const char*>(h_source) + done, some);
    GSX_CUDA_CHECK(cudaMemcpyAsync(static_cast<char*>(d_target) + done, pinned_.data(), some,
                                   cudaMemcpyHostToDevice, stream()));
    stream_.synchronize();
  }
}

void SearchLane::to_host(void* h_target, const void* d_source, std::uint64_t bytes) {
  for (std::uint64_t done = 0; done < bytes; done += pinned_.size()) {
    const std::uint64_t some = std::min<std::uint64_t>(pinned_.size(), bytes - done);
    GSX_CUDA_CHECK(cudaMemcpyAsync(pinned_.data(), static_cast<const char*>(d_source) + done, some,
                                   cudaMemcpyDeviceToHost, stream()));
    stream_.synchronize();
    std::memcpy(static_cast<char*>(h_target) + done, pinned_.data(), some);
  }
}

PackedPatterns SearchLane::upload(const Patterns& patterns, std::uint64_t first, std::uint64_t last,
                                  std::uint32_t bits, std::uint32_t sigma) {
  const std::uint64_t base = patterns.begin_of(first);
  const std::uint64_t size = patterns.begin_of(last) - base;
  std::vector<std::uint64_t> ends(patterns.ends.begin() + static_cast<std::ptrdiff_t>(first),
                                  patterns.ends.begin() + static_cast<std::ptrdiff_t>(last));
  for (std::uint64_t& end : ends)
    end -= base;
  constexpr std::uint64_t readable = PackedPatterns::readable;
  DeviceBuffer<std::uint8_t> codes(size + readable, stream());
  DeviceBuffer<std::uint64_t> d_ends(ends.size(), stream());
  GSX_CUDA_CHECK(cudaMemsetAsync(codes.data() + size, 0, readable, stream()));
  to_device(codes.data(), patterns.codes.data() + base, size);
  to_device(d_ends.data(), ends.data(), d_ends.bytes());
  return {codes.data(), size, std::move(d_ends), bits, sigma, stream()};
}

SearchLanes::Guard SearchLanes::take() {
  const std::lock_guard lock(mutex_);
  if (idle_.empty()) {
    idle_.reserve(++made_);  // so that giving back takes no memory
    return {*this, std::make_unique<SearchLane>(pool_)};
  }
  std::unique_ptr<SearchLane> lane = std::move(idle_.back());
  idle_.pop_back();
  return {*this, std::move(lane)};
}

void SearchLanes::give_back(std::unique_ptr<SearchLane> lane) noexcept {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(lane));
}

}  // namespace gsx::cuda
