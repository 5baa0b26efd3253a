// Where pieces of a stable sort put their runs.
#pragma once

#include <array>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>

namespace gsx::cuda {

/// Gives pieces, which may be ready in any order, their places in order. Several threads call.
class RunPlaces {
 public:
  using Four = std::array<std::uint64_t, 4>;

  /// `totals` says how often each digit occurs in all pieces.
  explicit RunPlaces(const Four& totals) {
    for (std::size_t d = 1; d < 4; ++d)
      next_[d] = next_[d - 1] + totals[d - 1];
  }
  /// Where the runs of the piece [begin, end) go, which has `counts` of each digit; waits for those
  /// before it. Nothing if one of them has failed.
  std::optional<Four> take(std::uint64_t begin, std::uint64_t end, const Four& counts) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return failed_ || taken_ == begin; });
    if (failed_) return std::nullopt;
    const Four places = next_;
    for (std::size_t d = 0; d < 4; ++d)
      next_[d] += counts[d];
    taken_ = end;
    changed_.notify_all();
    return places;
  }
  /// Nobody waits from now on.
  void fail() {
    const std::lock_guard lock(mutex_);
    failed_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  Four next_{};
  std::uint64_t taken_ = 0;
  bool failed_ = false;
};

}  // namespace gsx::cuda
