// Measures how the threads of a pipeline spend their time.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace gsx {

/// The stages of a pipeline thread. `wait` is waiting for other threads.
enum class Stage : std::uint8_t { read, parse, encode, search, format, write, wait };

inline constexpr std::array<const char*, 7> stage_names = {"read",   "parse", "encode", "search",
                                                           "format", "write", "wait"};

/// Seconds per stage, added up over all threads. Any thread may add.
class StageTimes {
 public:
  using Clock = std::chrono::steady_clock;

  void add(Stage stage, Clock::duration time) {
    nanoseconds_[static_cast<std::size_t>(stage)].fetch_add(
        static_cast<std::uint64_t>(std::chrono::nanoseconds(time).count()),
        std::memory_order_relaxed);
  }
  double seconds(Stage stage) const {
    return static_cast<double>(
               nanoseconds_[static_cast<std::size_t>(stage)].load(std::memory_order_relaxed)) *
           1e-9;
  }

 private:
  std::array<std::atomic<std::uint64_t>, stage_names.size()> nanoseconds_{};
};

/// Times one thread through the stages: done() ends a stage and begins the next.
class StageClock {
 public:
  /// If `times` is null, nothing is measured.
  explicit StageClock(StageTimes* times) : times_(times) { restart(); }

  void restart() {
    if (times_ != nullptr) since_ = StageTimes::Clock::now();
  }
  void done(Stage stage) {
    if (times_ == nullptr) return;
    const auto now = StageTimes::Clock::now();
    times_->add(stage, now - since_);
    since_ = now;
  }

 private:
  StageTimes* times_;
  StageTimes::Clock::time_point since_;
};

}  // namespace gsx
