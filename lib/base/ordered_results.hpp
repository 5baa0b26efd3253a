// Results that threads hand over in any order, and that are committed in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "base/ordered_turns.hpp"

namespace gsx {

/// Commits results 0, 1, 2, ...: whoever brings the next one commits it, and then all that follow
/// it and are there. So a thread whose result is early leaves it to another and goes on with its
/// work.
template <class Result>
class OrderedResults {
 public:
  /// At most `most` results are left to others at a time; a thread that brings one more waits for
  /// its turn.
  explicit OrderedResults(std::size_t most) : most_(most) {}

  OrderedTurns& turns() { return turns_; }

  /// Takes result `number`, and gives the memory of an earlier one in its place, if there is any.
  /// Calls commit(result) for each that is committed, which leaves the result empty. Unless
  /// `may_leave`, waits for its turn. False if the run has failed.
  template <class Commit>
  bool hand_over(std::uint64_t number, Result& result, const Commit& commit,
                 bool may_leave = true) {
    if (may_leave) {
      const std::lock_guard lock(mutex_);
      if (number != next_ && left_.size() < most_) {
        left_.emplace(number, std::exchange(result, take_spare()));
        return true;
      }
    }
    if (!turns_.wait_for(number)) return false;
    commit(result);
    for (Result other; take_next(number, other); ++number) {
      commit(other);
      const std::lock_guard lock(mutex_);
      spare_.push_back(std::move(other));
    }
    return true;
  }

 private:
  Result take_spare() {
    if (spare_.empty()) return {};
    Result spare = std::move(spare_.back());
    spare_.pop_back();
    return spare;
  }
  /// Ends the turn of `number`; false if the next result is not there.
  bool take_next(std::uint64_t number, Result& result) {
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
    turns_.done();  // only now may another thread take the turn and change these
    return found;
  }

  const std::size_t most_;
  OrderedTurns turns_;
  std::mutex mutex_;  ///< guards the members below
  std::uint64_t next_ = 0;
  std::map<std::uint64_t, Result> left_;
  std::vector<Result> spare_;
};

}  // namespace gsx
