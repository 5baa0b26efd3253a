// A result that reaches host memory while the GPU works on its next part.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

#include "kernels/base/event.hpp"
#include "kernels/base/memory_pool.hpp"
#include "kernels/base/transfer.hpp"

namespace gsx::cuda {

/// Copies to one array of the host that run beside what the caller does, one after another, each
/// after what was queued on `stream` when it was started; where the system gives no thread, start()
/// copies. While there is nothing to copy, the lanes make the pages of the array, from its end on:
/// a copy to fresh pages takes longer, and the last one delays the result.
class BackgroundCopy {
 public:
  /// Pre: the array, of `bytes` bytes, outlives this; until end() has returned, nobody else uses
  /// the transfer or writes to the array.
  BackgroundCopy(void* h_array, std::uint64_t bytes, Transfer& transfer, DeviceStream stream);
  ~BackgroundCopy();
  BackgroundCopy(const BackgroundCopy&) = delete;
  BackgroundCopy& operator=(const BackgroundCopy&) = delete;

  /// Makes pages from now on.
  void make_pages();
  /// Queues a copy, and makes pages after it. The source must live until it has been waited for.
  void start(void* h_target, const void* d_source, std::uint64_t bytes);
  /// Returns when at most `open` copies are not done. Throws what a copy failed with.
  void wait(std::uint64_t open);
  /// Returns when all copies are done and no page is being made: nothing is under way until the
  /// next start(). Throws what a copy failed with.
  void end();

 private:
  struct Copy {
    void* h_target;
    const void* d_source;
    std::uint64_t bytes;
    std::unique_ptr<Event> ready;
  };

  void work();
  void copy(Copy next);
  void throw_error();

  Transfer& transfer_;
  DeviceStream stream_;
  FreshPages pages_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Copy> queue_;
  std::uint64_t open_ = 0;  ///< copies that are queued or under way
  bool makes_pages_ = false;
  bool is_making_ = false;
  bool ended_ = false;
  std::exception_ptr error_;
  std::atomic<bool> stop_making_{false};
  std::thread thread_;
};

}  // namespace gsx::cuda
