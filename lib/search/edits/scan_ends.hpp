// Finds ends by reading the whole text.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/cpu_path.hpp"
#include "search/edits/edits.hpp"
#include "search/edits/end_collector.hpp"
#include "search/edits/end_finder.hpp"
#include "search/mismatches/thread_share.hpp"

namespace gsx {

/// Reads the text for a group of patterns at a time, any patterns. Needs no index. Of patterns of
/// DNA, a filter leaves few places where columns are computed (end_filter.hpp); others are compared
/// with the whole text. Memory: 160 KB per thread, more for patterns of thousands of symbols, and
/// the masks of the patterns of a group.
class EndScan {
 public:
  /// Keeps the view of the text, and searches about `part` symbols of it at a time. Pre: this CPU
  /// has the instructions of `path`.
  EndScan(const EditTarget& target, CpuPath path, std::uint64_t part)
      : target_(target), path_(path), part_(part) {}

  /// About how many seconds one core takes to find the ends of a pattern, beside those of others.
  double cost(std::span<const std::uint8_t> pattern, const EditRequest& request) const;
  /// About how many seconds it takes to get ready to compare patterns with the text.
  double start_cost() const;

  /// Gives the collectors, one per thread of the call, the ends of the patterns numbered `which`,
  /// each once. Pre: they can be asked.
  void find(const EditPatterns& patterns, std::span<const std::uint32_t> which,
            const EditRequest& request, const ThreadShare::Call& call,
            std::span<EndCollector> collectors) const;
  /// Gives the collector the ends of a pattern that lie in a window, on one thread, by a finder
  /// that has searched for no other pattern.
  void find_within(const SoughtPattern& pattern, bool reverse, const EndWindow& window,
                   EndFinder& finder, EndCollector& collector) const;

 private:
  EditTarget target_;
  CpuPath path_;
  std::uint64_t part_;
};

}  // namespace gsx
