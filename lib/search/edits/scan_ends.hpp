// Finds ends by reading the whole text.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "base/cpu_path.hpp"
#include "search/edits/edits.hpp"
#include "search/edits/end_collector.hpp"
#include "search/edits/scan_group.hpp"
#include "search/mismatches/thread_share.hpp"

namespace gsx {

/// Told how far a search in order has got: the ends that lie before a text position are there.
/// Returns whether to go on.
using EndsFound = std::function<bool(std::uint64_t position)>;

/// Reads the text for a group of patterns at a time, any patterns. Needs no index. Of patterns of
/// DNA, a filter leaves few places where columns are computed (piece_filter.hpp); others are
/// compared with the whole text. Memory per thread: a bit per set of bases and symbol of a part;
/// for patterns that are longer than that, parts are longer, too. The masks of a group.
class EndScan {
 public:
  /// Keeps the view of the text, and searches about `part` symbols of it at a time. Pre: this CPU
  /// has the instructions of `path`.
  EndScan(const EditTarget& target, CpuPath path, std::uint64_t part)
      : target_(target), path_(stripe_path(path)), part_(part) {}

  /// About how many seconds one core takes to find the ends of a pattern, beside those of others.
  double cost(std::span<const std::uint8_t> pattern, const EditRequest& request) const;

  /// Gives the collectors, one per thread of the call, the ends of the patterns numbered `which`,
  /// each once. Pre: they can be asked.
  void find(const EditPatterns& patterns, std::span<const std::uint32_t> which,
            const EditRequest& request, const ThreadShare::Call& call,
            std::span<EndCollector> collectors) const;
  /// Gives the collector the ends of the one pattern, part by part of the text, on one thread.
  void find_in_order(const EditPatterns& pattern, const EditRequest& request,
                     EndCollector& collector, const EndsFound& found) const;

 private:
  std::uint64_t part_of(const ScanGroup& group, int threads) const;

  EditTarget target_;
  StripePath path_;
  std::uint64_t part_;
};

}  // namespace gsx
