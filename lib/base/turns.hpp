// Turns taken in order by threads that finish their work in any order.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace gsx {

/// Hands out turns 0, 1, 2, ...; a failure releases everybody who waits.
class Turns {
 public:
  /// Waits for turn `number`; false when the run has failed.
  bool wait_for(std::uint64_t number) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return failed_ || next_ == number; });
    return !failed_;
  }
  void done() {
    {
      const std::lock_guard lock(mutex_);
      ++next_;
    }
    changed_.notify_all();
  }
  void fail() {
    {
      const std::lock_guard lock(mutex_);
      failed_ = true;
    }
    changed_.notify_all();
  }
  bool failed() {
    const std::lock_guard lock(mutex_);
    return failed_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t next_ = 0;
  bool failed_ = false;
};

}  // namespace gsx
