// Threads that wait for work on the lanes of a transfer.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace gsx::cuda {

/// Up to `count` - 1 threads beside the one that calls. A dozen threads take 0.7 ms to start, as
/// long as 40 MB take across the bus.
class LaneThreads {
 public:
  /// Starts as many as the system gives.
  explicit LaneThreads(int count);
  ~LaneThreads();
  LaneThreads(const LaneThreads&) = delete;
  LaneThreads& operator=(const LaneThreads&) = delete;

  /// Calls work(lane) for each lane in [0, lanes), on several threads, of which the caller's is
  /// one, and returns when all calls have. Rethrows the first exception. Several threads that call
  /// take turns. Pre: no lane waits for a later one, and none calls this.
  void run(int lanes, const std::function<void(int)>& work);

 private:
  void wait_for_work();
  /// Takes lanes until none is left. `lock` holds mutex_, but not while work runs.
  void take_lanes(std::unique_lock<std::mutex>& lock);

  std::mutex turn_;  ///< held while run() runs
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  const std::function<void(int)>* work_ = nullptr;
  int next_ = 0;  ///< the first lane that nobody has taken
  int lanes_ = 0;
  int running_ = 0;
  bool ended_ = false;
  std::exception_ptr error_;
  std::vector<std::thread> threads_;
};

}  // namespace gsx::cuda
