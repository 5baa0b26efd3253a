// How many intervals of a text cover each of its positions.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "output/tracks/piece_runs.hpp"

namespace gsx {

/// Counts intervals in any order, on any threads. Holds for each position by how much more
/// intervals begin than end there, in 16 bits, and beside it, for the few positions where that
/// overflows, by how many times 2^16. So all numbers are exact.
/// Memory: bytes() at once, and some 60 bytes for each position where 2^15 intervals more begin
/// than end, or end than begin.
class DepthCounters {
 public:
  /// Positions [0, positions), all of them with depth 0. Throws ResourceError for lack of memory.
  explicit DepthCounters(std::uint64_t positions);
  DepthCounters(const DepthCounters&) = delete;
  DepthCounters& operator=(const DepthCounters&) = delete;

  static std::uint64_t bytes(std::uint64_t positions);

  /// Counts [begin, end). Pre: begin < end <= positions. Any thread may call it. Cost: two atomic
  /// additions.
  void add(std::uint64_t begin, std::uint64_t end) {
    change(begin, 1);
    change(end, -1);
  }
  /// Asks for the memory that add(begin, end) will change.
  void prefetch(std::uint64_t begin, std::uint64_t end) const {
    __builtin_prefetch(&changes_[begin], 1);
    __builtin_prefetch(&changes_[end], 1);
  }

  /// Makes add_runs() possible; nothing may be counted after it. Cost: one pass.
  void sum(int threads);
  /// Adds the depths of [begin, end) as runs of counts, of which the first is at `offset`; depth 0
  /// has none. A depth of 2^32 - 1 or more counts as most_depth. `is_border`: what was counted
  /// before `begin` ends before it. Pre: sum() was called. Any thread may call it. Cost: one pass
  /// over the positions and, if `begin` is no border, over at most 2^16 before them.
  void add_runs(std::uint64_t begin, std::uint64_t end, std::uint64_t offset, bool is_border,
                PieceRuns& runs) const;

  static constexpr std::uint32_t most_depth = no_count - 1;

 private:
  struct FreeMemory {
    void operator()(std::uint16_t* memory) const;
  };
  struct Change {
    std::uint64_t position;
    std::int64_t by;
  };

  void change(std::uint64_t position, int by) {
    const auto step = static_cast<std::uint16_t>(by);
    const std::uint16_t before =
        std::atomic_ref(changes_[position]).fetch_add(step, std::memory_order_relaxed);
    if (before == (by > 0 ? 0x7FFF : 0x8000)) spill(position, by);
  }
  void spill(std::uint64_t position, int by);
  /// The first position in [begin, end) with a change, or `end`.
  std::uint64_t next_change(std::uint64_t begin, std::uint64_t end) const;
  /// Calls take(position, change) for all changes in [begin, end), in order.
  template <class Take>
  void for_each_change(std::uint64_t begin, std::uint64_t end, const Take& take) const;

  std::uint64_t positions_;
  std::unique_ptr<std::uint16_t[], FreeMemory> changes_;  ///< [positions + 1]
  std::mutex mutex_;
  std::unordered_map<std::uint64_t, std::int64_t> spilled_;  ///< multiples of 2^16
  std::vector<Change> large_;                                ///< the same in order, after sum()
  std::vector<std::int64_t> depths_;  ///< before the first position of each block
};

}  // namespace gsx
