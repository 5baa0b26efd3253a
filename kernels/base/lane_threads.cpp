#include "kernels/base/lane_threads.hpp"

#include <new>
#include <system_error>
#include <utility>

namespace gsx::cuda {

LaneThreads::LaneThreads(int count) {
  threads_.reserve(static_cast<std::size_t>(count));
  try {
    for (int i = 1; i < count; ++i)
      threads_.emplace_back([this] { wait_for_work(); });
  } catch (const std::system_error&) {
    // Those that there are take the lanes of the others.
  } catch (const std::bad_alloc&) {
    // As above.
  }
}

LaneThreads::~LaneThreads() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_)
    thread.join();
}

void LaneThreads::run(int lanes, const std::function<void(int)>& work) {
  const std::lock_guard turn(turn_);
  std::unique_lock lock(mutex_);
  work_ = &work;
  next_ = 0;
  lanes_ = lanes;
  for (int i = 1; i < lanes; ++i)
    wake_.notify_one();
  take_lanes(lock);
  done_.wait(lock, [&] { return running_ == 0; });
  lanes_ = 0;
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void LaneThreads::take_lanes(std::unique_lock<std::mutex>& lock) {
  while (next_ < lanes_) {
    const int lane = next_++;
    ++running_;
    lock.unlock();
    std::exception_ptr error;
    try {
      (*work_)(lane);
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    if (error && !error_) error_ = std::move(error);
    if (--running_ == 0) done_.notify_one();
  }
}

void LaneThreads::wait_for_work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [&] { return ended_ || next_ < lanes_; });
    if (ended_) return;
    take_lanes(lock);
  }
}

}  // namespace gsx::cuda
