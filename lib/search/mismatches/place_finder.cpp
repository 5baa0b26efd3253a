#include "search/mismatches/place_finder.hpp"

#include <algorithm>
#include <utility>

namespace gsx {
namespace {

/// Delivers the hits of one group of patterns after another.
class Delivery {
 public:
  Delivery(PlaceFinder& finder, const SetPatterns& patterns, const MismatchRequest& request,
           const SearchMemory& memory, const HitSink& sink)
      : finder_(finder),
        patterns_(patterns),
        request_(request),
        sink_(sink),
        // A collected hit takes 16 bytes, and 8 when it is sorted.
        room_(memory.hits_at_once / 3),
        at_once_(std::max<std::uint64_t>(1, memory.hits_at_once)) {}

  void run() {
    std::size_t most = most_patterns;
    for (std::size_t first = 0; first < patterns_.size();) {
      const std::size_t end = finder_.group_end(patterns_, first, request_, most);
      const std::uint64_t found = deliver_group(first, end);
      // The next group should have room for as many hits per pattern.
      most = std::clamp<std::size_t>(room_ / 2 / (found / (end - first) + 1), 16, most_patterns);
      first = end;
    }
  }

 private:
  static constexpr std::size_t most_patterns = std::size_t{1} << 16;

  /// Returns the number of hits to be reported of the patterns [first, end), were there no cap.
  std::uint64_t deliver_group(std::size_t first, std::size_t end) {
    first_ = first;
    counts_.reset(end - first, request_.mismatches);
    const SetPatterns group = patterns_.some(first, end);
    GroupedHits found;
    std::size_t done = finder_.collect(group, request_, {room_, request_.max_hits}, counts_, found);
    give(0, done, found);
    while (done < group.size())
      done = deliver_counted(group, done);
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < group.size(); ++i)
      total += counts_.total(i).total();
    return total;
  }

  /// Delivers the hits of some patterns from `first` on, whose counts are known; returns the end of
  /// these patterns.
  std::size_t deliver_counted(const SetPatterns& group, std::size_t first) {
    PlaceFinder::Wanted wanted{room_, request_.max_hits};
    std::uint64_t held = 0;
    std::size_t end = first;
    for (; end < group.size(); ++end) {
      const auto [classes, hits] = kept_classes(end);
      if (held + hits > room_) break;
      held += hits;
      wanted.fewer_than.push_back(classes);
    }
    if (end == first) {
      deliver_alone(group, first);
      return first + 1;
    }
    GroupedHits found;
    found.ends.assign(end - first, 0);
    if (held > 0) {
      MismatchCounts again;
      again.reset(end - first, request_.mismatches);
      finder_.collect(group.some(first, end), request_, wanted, again, found);
    }
    give(first, end, found);
    return end;
  }

  /// The classes of mismatches from 0 on that hold the hits to be kept, and the hits in them.
  std::pair<std::uint32_t, std::uint64_t> kept_classes(std::size_t pattern) const {
    const std::uint64_t kept = std::min(request_.max_hits, counts_.total(pattern).total());
    std::uint32_t classes = 0;
    std::uint64_t hits = 0;
    for (; hits < kept; ++classes)
      hits += counts_.at(pattern, classes);
    return {classes, hits};
  }

  void deliver_alone(const SetPatterns& group, std::size_t pattern) {
    const StrandCounts total = counts_.total(pattern);
    FewestMismatches fewest(counts_, pattern, request_.max_hits);
    std::vector<Hit> hits;
    std::uint64_t before = 0;
    const auto pass_on = [&] {
      const std::uint64_t end = hits.size();
      sink_({first_ + pattern,
             before,
             request_.max_hits,
             {&total, 1},
             {&end, 1},
             hits,
             counts_.fewest(pattern)});
      before += end;
      hits.clear();
    };
    finder_.find_in_order(group.some(pattern, pattern + 1), request_,
                          [&](std::span<const Hit> places) {
                            for (const Hit& place : places) {
                              if (!fewest.take(place)) continue;
                              hits.push_back(place);
                              if (hits.size() >= at_once_) pass_on();
                            }
                          });
    if (!hits.empty()) pass_on();
  }

  /// Delivers the hits of the patterns [first, end) of the group.
  void give(std::size_t first, std::size_t end, const GroupedHits& found) const {
    if (first == end) return;
    std::vector<StrandCounts> totals;
    for (std::size_t i = first; i < end; ++i)
      totals.push_back(counts_.total(i));
    sink_({first_ + first, 0, request_.max_hits, totals, found.ends, found.hits});
  }

  PlaceFinder& finder_;
  const SetPatterns& patterns_;
  const MismatchRequest& request_;
  const HitSink& sink_;
  std::uint64_t room_;     ///< hits that may be collected
  std::uint64_t at_once_;  ///< hits that may be delivered at a time
  std::size_t first_ = 0;  ///< pattern of the group
  MismatchCounts counts_;  ///< of the group
};

}  // namespace

std::size_t end_of_group(const SetPatterns& patterns, std::size_t first,
                         const MismatchRequest& request, const GroupLimits& limits) {
  const std::size_t most = std::min(limits.patterns, limits.counts / (request.mismatches + 1));
  std::size_t end = first + 1;
  while (end < patterns.size() && end - first < most &&
         patterns.ends[end] - patterns.begin_of(first) <= limits.symbols)
    ++end;
  return end;
}

void stream_found(PlaceFinder& finder, const SetPatterns& patterns, const MismatchRequest& request,
                  const SearchMemory& memory, const HitSink& sink) {
  Delivery(finder, patterns, request, memory, sink).run();
}

}  // namespace gsx
