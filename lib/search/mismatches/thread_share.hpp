// Shares threads among the calls that run at the same time.
#pragma once

#include <algorithm>
#include <atomic>

namespace gsx {

/// The threads of a searcher that several threads call.
class ThreadShare {
 public:
  explicit ThreadShare(int threads) : threads_(std::max(1, threads)) {}

  /// Counts as a call while it lives. Make one for work on threads, none to wait for another call.
  class Call {
   public:
    explicit Call(ThreadShare& share) : share_(share) { ++share_.calls_; }
    ~Call() { --share_.calls_; }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;
    /// How many threads the call may use now; ask again now and then.
    int threads() const { return std::max(1, share_.threads_ / std::max(1, share_.calls_.load())); }
    /// The most that threads() may give.
    int most() const { return share_.threads_; }

   private:
    ThreadShare& share_;
  };

 private:
  int threads_;
  std::atomic<int> calls_{0};
};

}  // namespace gsx
