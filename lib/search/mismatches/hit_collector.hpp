// Holds the hits of many patterns, as far as there is room.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "search/mismatches/mismatches.hpp"

namespace gsx {

/// A hit and the number of its pattern.
struct PatternHit {
  Hit hit;
  std::uint32_t pattern;
};

/// What the collectors of several threads share: which hits are wanted. All hits of the patterns
/// below limit() are collected, or those of them that max_hits may keep.
class WantedHits {
 public:
  WantedHits(std::size_t patterns, std::uint64_t max_hits)
      : limit_(static_cast<std::uint32_t>(patterns)), max_hits_(max_hits) {}

  /// Wants only hits of pattern i with fewer than fewer_than[i] mismatches. Pre: none are
  /// collected.
  void want(std::vector<std::uint32_t> fewer_than) { fewer_than_ = std::move(fewer_than); }

  std::uint32_t limit() const { return limit_.load(std::memory_order_relaxed); }
  /// Gives up the patterns from `limit` on.
  void lower_limit(std::uint32_t limit) {
    std::uint32_t before = this->limit();
    while (limit < before && !limit_.compare_exchange_weak(before, limit)) {
    }
  }
  bool wants(std::uint32_t pattern, std::uint32_t mismatches) const {
    return fewer_than_.empty() || mismatches < fewer_than_[pattern];
  }
  std::uint64_t max_hits() const { return max_hits_; }

 private:
  std::atomic<std::uint32_t> limit_;
  std::uint64_t max_hits_;
  std::vector<std::uint32_t> fewer_than_;  ///< empty: all are wanted
};

/// The hits that one thread collects, in no particular order.
class HitCollector {
 public:
  /// Holds at most `room` hits.
  HitCollector(WantedHits& wanted, std::uint64_t room) : wanted_(wanted), room_(room) {}

  bool collects(std::uint32_t pattern) const { return pattern < wanted_.limit(); }
  void add(std::uint32_t pattern, const Hit& hit) {
    if (!wanted_.wants(pattern, hit.mismatches())) return;
    if (hits_.size() >= room_) make_room();
    if (collects(pattern)) hits_.push_back({hit, pattern});
  }
  std::vector<PatternHit>& hits() { return hits_; }

 private:
  void make_room();

  WantedHits& wanted_;
  std::uint64_t room_;
  std::vector<PatternHit> hits_;
};

/// The hits of patterns [0, patterns) of several collectors, pattern by pattern.
struct GroupedHits {
  std::vector<Hit> hits;            ///< those of a pattern in output order
  std::vector<std::uint64_t> ends;  ///< of each pattern's hits
};

/// Leaves the collectors empty. Keeps at most max_hits hits of a pattern: those with the fewest
/// mismatches.
GroupedHits grouped_hits(std::span<HitCollector> collectors, std::size_t patterns,
                         std::uint64_t max_hits);

}  // namespace gsx
