// Counts the ends of many patterns, and holds them as far as there is room.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/edits/edits.hpp"

namespace gsx {

/// An end of a pattern: where its alignment ends in the pattern's direction. On the forward strand
/// that is behind its last symbol in the text, on the reverse strand before its first one.
class EditEnd {
 public:
  EditEnd() = default;
  EditEnd(std::uint32_t pattern, std::uint64_t position, bool reverse, std::uint32_t edits)
      : place_(position << 1 | (reverse ? 1 : 0)), pattern_(pattern), edits_(edits) {}
  std::uint64_t position() const { return place_ >> 1; }
  bool is_reverse() const { return (place_ & 1) != 0; }
  std::uint32_t pattern() const { return pattern_; }
  std::uint32_t edits() const { return edits_; }

 private:
  std::uint64_t place_ = 0;
  std::uint32_t pattern_ = 0;
  std::uint32_t edits_ = 0;
};
static_assert(sizeof(EditEnd) == 16);

/// What the collectors of several threads share: which ends are wanted. All ends of the patterns
/// below limit() are collected.
class WantedEnds {
 public:
  /// Wants the ends of `patterns` patterns; of pattern i those with fewer than fewer_than[i] edits,
  /// or all if that is empty.
  explicit WantedEnds(std::size_t patterns, std::vector<std::uint32_t> fewer_than = {})
      : limit_(static_cast<std::uint32_t>(patterns)), fewer_than_(std::move(fewer_than)) {}

  std::uint32_t limit() const { return limit_.load(std::memory_order_relaxed); }
  /// Gives up the patterns from `limit` on.
  void lower_limit(std::uint32_t limit) {
    std::uint32_t before = this->limit();
    while (limit < before && !limit_.compare_exchange_weak(before, limit)) {
    }
  }
  bool wants(std::uint32_t pattern, std::uint32_t edits) const {
    return pattern < limit() && (fewer_than_.empty() || edits < fewer_than_[pattern]);
  }

 private:
  std::atomic<std::uint32_t> limit_;
  std::vector<std::uint32_t> fewer_than_;
};

/// What one thread finds: counts, and ends in no particular order.
class EndCollector {
 public:
  /// Counts the ends of `patterns` patterns with up to `edits` edits. Holds at most `room` of those
  /// that are wanted; of none if `wanted` is null.
  EndCollector(std::size_t patterns, std::uint32_t edits, WantedEnds* wanted, std::uint64_t room)
      : wanted_(wanted), room_(room) {
    counts_.reset(patterns, edits);
  }
  void take(const EditEnd& end) {
    ++counts_.of(end.pattern(), end.is_reverse())[end.edits()];
    if (wanted_ == nullptr || !wanted_->wants(end.pattern(), end.edits())) return;
    if (ends_.size() >= room_) make_room();
    if (wanted_->wants(end.pattern(), end.edits())) ends_.push_back(end);
  }
  const EditCounts& counts() const { return counts_; }
  std::vector<EditEnd>& ends() { return ends_; }

 private:
  /// Gives up patterns from the last one on until half of the room is free.
  void make_room();

  EditCounts counts_;
  WantedEnds* wanted_;
  std::uint64_t room_;
  std::vector<EditEnd> ends_;
};

/// All ends of several collectors of the patterns below `patterns`, by pattern; leaves them empty.
/// The ends of pattern i are those up to the i-th of the numbers that `ends_of` is set to.
std::vector<EditEnd> grouped_ends(std::span<EndCollector> collectors, std::size_t patterns,
                                  std::vector<std::uint64_t>& ends_of);

}  // namespace gsx
