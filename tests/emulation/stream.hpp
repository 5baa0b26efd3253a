// Streams and events. Work is done when somebody waits for it: what does not wait long enough reads
// what is not there yet.
#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "cuda_runtime_api.h"

namespace gsx::emulation {

/// Does its work in order, one piece at a time, on the host thread that waits for it.
class Queue {
 public:
  Queue(int device, bool waits_for_default) : device_(device), blocking_(waits_for_default) {}

  int device() const { return device_; }
  /// Whether the default stream and this one wait for each other.
  bool is_blocking() const { return blocking_; }

  void push(std::function<void()> work, bool may_wait);
  /// Does all work that is queued.
  void run();
  /// Does work until `done`, unless another thread does it now: then returns false.
  bool try_run(const std::atomic<bool>& done);
  bool is_empty();
  /// Whether something is queued that may wait for the host.
  bool may_wait();

 private:
  void run_until(const std::atomic<bool>* done);

  struct Work {
    std::function<void()> function;
    bool may_wait;
  };

  int device_;
  bool blocking_;
  std::mutex queue_mutex_;          ///< for work_ and busy_
  std::recursive_mutex run_mutex_;  ///< held by whoever does the work
  std::deque<Work> work_;
  bool busy_ = false;
};

struct Stream {
  std::shared_ptr<Queue> queue;
};

/// A place in a stream.
struct Mark {
  std::shared_ptr<Queue> queue;
  std::atomic<bool> reached{false};
  std::chrono::steady_clock::time_point when;

  void wait();
};

struct Event {
  std::shared_ptr<Mark> mark;  ///< null before it is recorded
};

/// Does all work of a device.
void finish_device(int device);
/// Does all work.
void finish_everything();

}  // namespace gsx::emulation
