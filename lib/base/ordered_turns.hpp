// Turns that threads take in order, although they finish their work in any order.
#pragma once

#include <array>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <utility>

namespace gsx {

/// Gives turns 0, 1, 2, ...; a failure releases every thread that waits.
class OrderedTurns {
 public:
  /// A turn that a thread has. It ends itself: when its owner goes, the next one comes. If an
  /// exception passes, the run has failed, and nobody waits for turns that cannot come.
  class Turn {
   public:
    /// What a thread has whose run has failed.
    Turn() = default;
    Turn(Turn&& other) noexcept
        : turns_(std::exchange(other.turns_, nullptr)), exceptions_(other.exceptions_) {}
    Turn& operator=(Turn&&) = delete;
    ~Turn() {
      if (turns_ == nullptr) return;
      if (std::uncaught_exceptions() > exceptions_) {
        turns_->fail();
      } else {
        turns_->done();
      }
    }
    /// Whether it has come; else the run has failed.
    explicit operator bool() const { return turns_ != nullptr; }
    /// Ends it before its owner goes.
    void end() {
      if (turns_ != nullptr) std::exchange(turns_, nullptr)->done();
    }
    /// Ends it, and becomes the next one. Pre: it has come, and no thread asks for the next one.
    void go_on() { turns_->done(); }

   private:
    friend class OrderedTurns;
    explicit Turn(OrderedTurns& turns) : turns_(&turns) {}

    OrderedTurns* turns_ = nullptr;
    int exceptions_ = std::uncaught_exceptions();
  };

  /// Waits for turn `number` and takes it.
  Turn take(std::uint64_t number) { return wait_for(number) ? Turn(*this) : Turn(); }
  /// Waits for turn `number`, which another call takes; false if the run has failed.
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
  void done() {
    std::uint64_t next = 0;
    {
      const std::lock_guard lock(mutex_);
      next = ++next_;
    }
    bell_of(next).notify_all();
  }
  /// There are enough bells that the end of a turn wakes few threads besides the next one.
  std::condition_variable& bell_of(std::uint64_t number) { return bells_[number % bells_.size()]; }

  std::mutex mutex_;
  std::array<std::condition_variable, 64> bells_;
  std::uint64_t next_ = 0;
  bool failed_ = false;
};

}  // namespace gsx
