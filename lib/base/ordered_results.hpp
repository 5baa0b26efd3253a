// Results that threads hand over in any order, and that are committed in order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "base/ordered_turns.hpp"

namespace gsx {

/// Commits results 0, 1, 2, ...: whoever brings the next one commits it, and then those behind it
/// that other threads have left. A thread leaves a result that is early, and goes on with its work.
/// So no result waits for its thread to wake up.
template <class Result>
class OrderedResults {
 public:
  /// Keeps the memory of so many results for later ones.
  explicit OrderedResults(std::size_t most_spare) : most_spare_(most_spare) {}

  OrderedTurns& turns() { return turns_; }

  /// Ends the run: wakes all threads that wait, and drops what has been left.
  void fail() {
    std::map<std::uint64_t, Result> dropped;
    {
      const std::lock_guard lock(mutex_);
      failed_ = true;
      std::swap(dropped, left_);
    }
    turns_.fail();
  }

  /// Takes result `number`, and gives the memory of an earlier one in its place, if there is any.
  /// Calls commit(result) for each that is committed, which leaves the result empty. Returns when
  /// the result is at most `most_behind` behind the next one, or if that is 0, when it has been
  /// committed. False if the run has failed; it has, too, if this throws.
  template <class Commit>
  bool hand_over(std::uint64_t number, Result& result, const Commit& commit,
                 std::size_t most_behind) {
    try {
      return try_to_hand_over(number, result, commit, most_behind);
    } catch (...) {
      fail();  // whoever comes later would wait for this result
      throw;
    }
  }

 private:
  template <class Commit>
  bool try_to_hand_over(std::uint64_t number, Result& result, const Commit& commit,
                        std::size_t most_behind) {
    if (leave(number, result, most_behind != 0)) {
      const std::uint64_t behind = std::min<std::uint64_t>(most_behind, number);
      return turns_.wait_until(most_behind != 0 ? number - behind : number + 1);
    }
    OrderedTurns::Turn turn = turns_.take(number);
    if (!turn) return false;
    commit(result);
    for (Result other; take_next(turn, number, other); ++number) {
      commit(other);
      const std::lock_guard lock(mutex_);
      if (spare_.size() < most_spare_) spare_.push_back(std::move(other));
    }
    return true;
  }
  /// Leaves a result that is not the next one to the thread with the one before it. A thread that
  /// goes on gets memory for the next one.
  bool leave(std::uint64_t number, Result& result, bool goes_on) {
    const std::lock_guard lock(mutex_);
    if (number == next_) return false;
    Result memory = goes_on ? take_spare() : Result();
    if (!failed_) left_.emplace(number, std::move(result));
    result = std::move(memory);
    return true;
  }
  Result take_spare() {
    if (spare_.empty()) return {};
    Result spare = std::move(spare_.back());
    spare_.pop_back();
    return spare;
  }
  /// Ends the turn, that of `number`, and takes the next one if its result is there; else false.
  bool take_next(OrderedTurns::Turn& turn, std::uint64_t number, Result& result) {
    bool found = false;
    {
      const std::lock_guard lock(mutex_);
      next_ = number + 1;
      if (const auto other = left_.find(next_); other != left_.end()) {
        result = std::move(other->second);
        left_.erase(other);
        found = true;
      }
    }
    // Only now may another thread take the turn and change these.
    if (found) {
      turn.go_on();
    } else {
      turn.end();
    }
    return found;
  }

  const std::size_t most_spare_;
  OrderedTurns turns_;
  std::mutex mutex_;  ///< guards the members below
  std::uint64_t next_ = 0;
  bool failed_ = false;
  std::map<std::uint64_t, Result> left_;
  std::vector<Result> spare_;
};

}  // namespace gsx
