#include "base/parallel.hpp"

#include <condition_variable>
#include <mutex>
#include <new>
#include <system_error>
#include <utility>

#include "base/beside.hpp"

namespace gsx {
namespace {

/// Keeps the first exception of several threads.
class FirstError {
 public:
  void take() {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::current_exception();
  }
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr error_;
};

/// One call of run_threads(): the thread numbers whose work is still to be done.
class Region {
 public:
  Region(int threads, const std::function<void(int)>& work) : threads_(threads), work_(work) {}

  void work(int thread) {
    try {
      work_(thread);
    } catch (...) {
      error_.take();
    }
  }
  /// Does the work of numbers that no thread has taken yet. Number 0 belongs to the caller.
  void help() {
    for (int thread; (thread = next_.fetch_add(1, std::memory_order_relaxed)) < threads_;)
      work(thread);
  }
  void rethrow() const { error_.rethrow(); }

 private:
  int threads_;
  const std::function<void(int)>& work_;
  std::atomic<int> next_{1};
  FirstError error_;
};

/// The threads that one run_beside() may use.
class Budget {
 public:
  explicit Budget(int threads) : threads_(threads) {}

  /// Announces the region to threads that become free later. Returns the number of threads that it
  /// may start with; sets `around` to the enclosing region.
  int enter(Region& region, int wanted, Region*& around) {
    const std::lock_guard lock(mutex_);
    around = region_;
    region_ = &region;
    return std::min(wanted, std::max(1, threads_ - aside_));
  }
  /// Waits until no helper is in the region any more.
  void leave(Region* around) {
    std::unique_lock lock(mutex_);
    region_ = around;
    left_.wait(lock, [&] { return helpers_ == 0; });
  }
  /// Changes the number of threads that work aside.
  void change_aside(int by) {
    const std::lock_guard lock(mutex_);
    aside_ += by;
  }
  /// Ends a thread's work aside; it then helps in the current region.
  void end_aside() {
    std::unique_lock lock(mutex_);
    --aside_;
    Region* const region = region_;
    if (region == nullptr) return;
    ++helpers_;
    lock.unlock();
    region->help();
    lock.lock();
    if (--helpers_ == 0) left_.notify_all();
  }

 private:
  int threads_;
  std::mutex mutex_;
  std::condition_variable left_;
  Region* region_ = nullptr;
  int aside_ = 0;    ///< threads that work aside
  int helpers_ = 0;  ///< threads that have finished that and help in the region
};

thread_local Budget* budget_of_this_thread = nullptr;

/// Starts up to `count` threads and returns how many. If the system refuses more threads, or memory
/// is short, those that run do all the work.
int start(std::vector<std::jthread>& threads, int count, const std::function<void()>& work) {
  try {
    threads.reserve(static_cast<std::size_t>(std::max(0, count)));
    while (static_cast<int>(threads.size()) < count)
      threads.emplace_back(work);
  } catch (const std::system_error&) {
  } catch (const std::bad_alloc&) {
  }
  return static_cast<int>(threads.size());
}

}  // namespace

void run_threads(int threads, const std::function<void(int)>& work) {
  Region region(threads, work);
  Budget* const budget = budget_of_this_thread;
  Region* around = nullptr;
  const int started = budget != nullptr ? budget->enter(region, threads, around) : threads;
  {
    std::vector<std::jthread> others;
    start(others, started - 1, [&region] { region.help(); });
    region.work(0);
    region.help();
  }
  if (budget != nullptr) budget->leave(around);
  region.rethrow();
}

void run_beside(int threads, int aside, std::uint64_t tasks,
                const std::function<void(std::uint64_t)>& task, const std::function<void()>& main) {
  std::atomic<std::uint64_t> next{0};
  const auto work = [&](int) {
    for (std::uint64_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < tasks;) {
      try {
        task(i);
      } catch (...) {
        next.store(tasks, std::memory_order_relaxed);
        throw;
      }
    }
  };
  const auto most = static_cast<int>(std::clamp<std::uint64_t>(tasks, 1, 1 << 16));
  Budget budget(threads);
  FirstError error, error_aside;
  {
    std::vector<std::jthread> workers;
    const int wanted = std::min({aside, threads - 1, most});
    budget.change_aside(wanted);
    const int started = start(workers, wanted, [&] {
      try {
        work(0);
      } catch (...) {
        error_aside.take();
      }
      budget.end_aside();
    });
    budget.change_aside(started - wanted);
    Budget* const outer = std::exchange(budget_of_this_thread, &budget);
    try {
      main();
      run_threads(std::min(threads, most), work);
    } catch (...) {
      error.take();
      next.store(tasks, std::memory_order_relaxed);
    }
    budget_of_this_thread = outer;
  }
  error.rethrow();
  error_aside.rethrow();
}

}  // namespace gsx
