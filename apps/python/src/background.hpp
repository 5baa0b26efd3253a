// Long work, without the lock of the interpreter, that can be interrupted and watched.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "base/progress.hpp"

namespace gsx::python {

/// What work and the thread that waits for it know of each other. Any thread of the work may call
/// check() and report().
class BackgroundTask {
 public:
  /// Throws when the work is no longer wanted. Call it from sinks, and between pieces of work.
  void check() const;
  /// Tells how much of a stage is done, from 0 to 1, or negative if that is unknown; and check().
  void report(const char* stage, double fraction);
  /// report(), as the library takes it. Refers to this.
  ProgressReport progress() {
    return [this](const char* stage, double fraction) { report(stage, fraction); };
  }

 private:
  friend void run_in_background(const nanobind::object& progress,
                                const std::function<void(BackgroundTask&)>& work);
  struct News {
    std::string stage;
    double fraction;
  };
  bool wait(std::chrono::milliseconds longest);
  void finish();
  void cancel() { cancelled_.store(true, std::memory_order_relaxed); }
  std::optional<News> news();

  std::atomic<bool> cancelled_{false};
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<News> news_;
  bool finished_ = false;
};

/// Does the work on a thread of its own, without the lock of the interpreter, and waits for it.
/// Some 20 times per second, the calling thread runs signal handlers and calls `progress` with the
/// last report, unless that is None. What either raises, such as KeyboardInterrupt, ends the work
/// at its next check and comes out here; so does what the work throws. Pre: the caller holds the
/// lock, and the work touches no object of Python.
void run_in_background(const nanobind::object& progress,
                       const std::function<void(BackgroundTask&)>& work);

/// Cuts `count` items into pieces that take a fraction of a second each, so that work without a
/// sink can be interrupted: calls work(first, last) for one piece after another. `cost(i)` tells
/// how long an item takes, relative to the others, and the first piece costs about `first_cost`.
template <class Cost, class Work>
void in_pieces(BackgroundTask& task, const char* stage, std::size_t count, std::uint64_t first_cost,
               const Cost& cost, const Work& work) {
  using clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds short_time(100), long_time(400);
  std::uint64_t budget = first_cost;
  for (std::size_t first = 0, last = 0; first < count; first = last) {
    task.check();
    for (std::uint64_t sum = 0; last < count && (last == first || sum < budget); ++last)
      sum += cost(last);
    const auto begin = clock::now();
    work(first, last);
    const auto taken = clock::now() - begin;
    if (taken < short_time) budget *= 2;
    if (taken > long_time) budget = budget / 2 + 1;
    task.report(stage, static_cast<double>(last) / static_cast<double>(count));
  }
}

}  // namespace gsx::python
