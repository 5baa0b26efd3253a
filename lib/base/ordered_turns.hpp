// Turns that threads take in order, although they finish their work in any order.
#pragma once

#include <array>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace gsx {

/// Gives turns 0, 1, 2, ...; a failure releases every thread that waits.
class OrderedTurns {
 public:
  /// Waits for turn `number`; false if the run has failed.
  bool wait_for(std::uint64_t number) {
    std::unique_lock lock(mutex_);
    bell_of(number).wait(lock, [&] { return failed_ || next_ == number; });
    return !failed_;
  }
  /// Waits until turn `number` has come or is over; false if the run has failed.
  bool wait_until(std::uint64_t number) {
    std::unique_lock lock(mutex_);
    bell_of(number).wait(lock, [&] { return failed_ || next_ >= number; });
    return !failed_;
  }
  void done() {
    std::uint64_t next = 0;
    {
      const std::lock_guard lock(mutex_);
      next = ++next_;
    }
    bell_of(next).notify_all();
  }
  void fail() {
    {
      const std::lock_guard lock(mutex_);
      failed_ = true;
    }
    for (std::condition_variable& bell : bells_)
      bell.notify_all();
  }
  bool failed() {
    const std::lock_guard lock(mutex_);
    return failed_;
  }

 private:
  /// There are enough bells that the end of a turn wakes few threads besides the next one.
  std::condition_variable& bell_of(std::uint64_t number) { return bells_[number % bells_.size()]; }

  std::mutex mutex_;
  std::array<std::condition_variable, 64> bells_;
  std::uint64_t next_ = 0;
  bool failed_ = false;
};

}  // namespace gsx
