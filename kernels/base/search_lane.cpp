#include "kernels/base/search_lane.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "kernels/base/tuning.hpp"

namespace gsx::cuda {
namespace {

/// Sizes are rounded up by an eighth at most, so that batches of about the same size take the same
/// memory.
std::uint64_t rounded(std::uint64_t bytes) {
  const std::uint64_t step = std::max<std::uint64_t>(4096, std::bit_floor(bytes) / 8);
  return (bytes + step - 1) / step * step;
}

}  // namespace

SearchLane::SearchLane(MemoryPool& pool, Waiting waiting)
    : pool_(pool), waiting_(waiting), done_(cudaEventBlockingSync | cudaEventDisableTiming) {}

SearchLane::~SearchLane() {
  if (queued_) static_cast<void>(cudaStreamSynchronize(stream()));
}

void SearchLane::begin(std::uint64_t on_device, std::uint64_t on_host) {
  if (queued_) wait();  // work of a slice that failed, or that nobody waited for
  if (on_device_.size() < on_device) {
    on_device_ = {};
    on_device_ = DeviceBuffer<std::uint8_t>(rounded(on_device), stream());
  }
  large_.reset();
  const std::uint64_t pinned =
      std::clamp(on_host, tuning::least_pinned_bytes, tuning::transfer_bytes);
  if (!pinned_ || pinned_->size() < pinned) {
    pinned_.reset();
    pinned_ = std::make_unique<PinnedBuffer>(std::min(rounded(pinned), tuning::transfer_bytes));
  }
  if (on_host > pinned_->size()) large_ = std::make_unique_for_overwrite<std::uint8_t[]>(on_host);
}

void SearchLane::send(std::uint64_t bytes) {
  if (large_) return to_device(device(), large_.get(), bytes);
  queued_ = true;
  GSX_CUDA_CHECK(
      cudaMemcpyAsync(device(), pinned_bytes(), bytes, cudaMemcpyHostToDevice, stream()));
}

void SearchLane::fetch(const std::uint8_t* d_source, std::uint64_t bytes) {
  if (large_) {
    wait();  // in its own way; the copies that follow find nothing else to wait for
    return to_host(large_.get(), d_source, bytes);
  }
  queued_ = true;
  GSX_CUDA_CHECK(
      cudaMemcpyAsync(pinned_bytes(), d_source, bytes, cudaMemcpyDeviceToHost, stream()));
}

void SearchLane::wait() {
  done_.record(stream());
  if (waiting_ == Waiting::awake_first) done_.wait_awake(tuning::awake);
  done_.wait();
  queued_ = false;
}

void SearchLane::to_device(void* d_target, const void* h_source, std::uint64_t bytes) {
  for (std::uint64_t done = 0; done < bytes; done += pinned_->size()) {
    const std::uint64_t some = std::min<std::uint64_t>(pinned_->size(), bytes - done);
    std::memcpy(pinned_bytes(), static_cast<const char*>(h_source) + done, some);
    GSX_CUDA_CHECK(cudaMemcpyAsync(static_cast<char*>(d_target) + done, pinned_bytes(), some,
                                   cudaMemcpyHostToDevice, stream()));
    stream_.synchronize();
  }
}

void SearchLane::to_host(void* h_target, const void* d_source, std::uint64_t bytes) {
  for (std::uint64_t done = 0; done < bytes; done += pinned_->size()) {
    const std::uint64_t some = std::min<std::uint64_t>(pinned_->size(), bytes - done);
    GSX_CUDA_CHECK(cudaMemcpyAsync(pinned_bytes(), static_cast<const char*>(d_source) + done, some,
                                   cudaMemcpyDeviceToHost, stream()));
    stream_.synchronize();
    std::memcpy(static_cast<char*>(h_target) + done, pinned_bytes(), some);
  }
}

std::uint64_t SearchLane::expected_hits(std::uint64_t patterns) const {
  // Few patterns say little of many.
  constexpr double most_times = 2;
  double expected = noted_ == 0 ? static_cast<double>(patterns) : 0;
  for (const NotedHits& slice : last_) {
    if (slice.patterns == 0) continue;
    const double times = static_cast<double>(patterns) / static_cast<double>(slice.patterns);
    expected = std::max(expected, std::min(times, most_times) * static_cast<double>(slice.hits));
  }
  return 1024 + static_cast<std::uint64_t>(1.25 * expected);
}

void SearchLane::note_hits(std::uint64_t patterns, std::uint64_t hits) {
  last_[noted_++ % last_.size()] = {patterns, hits};
}

void SearchLane::trim() {
  large_.reset();
  if (on_device_.size() > tuning::kept_lane_bytes) release();
}

void SearchLane::release() {
  on_device_ = {};
}

SearchLanes::Guard SearchLanes::take() {
  const std::lock_guard lock(mutex_);
  if (idle_.empty()) {
    idle_.reserve(++made_);  // so that giving back takes no memory
    return {*this, std::make_unique<SearchLane>(pool_, waiting_)};
  }
  std::unique_ptr<SearchLane> lane = std::move(idle_.back());
  idle_.pop_back();
  return {*this, std::move(lane)};
}

void SearchLanes::release_idle() {
  const std::lock_guard lock(mutex_);
  for (const std::unique_ptr<SearchLane>& lane : idle_)
    lane->release();
}

void SearchLanes::give_back(std::unique_ptr<SearchLane> lane) noexcept {
  lane->trim();
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(lane));
}

}  // namespace gsx::cuda
