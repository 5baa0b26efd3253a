#include "scan/scan_searcher.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "base/parallel.hpp"
#include "scan/bit_scan.hpp"
#include "scan/hit_collector.hpp"

namespace gsx {
namespace {

/// How many of the patterns from `first` on are searched together: so many that making the planes
/// costs little, so few that their programs stay in a second-level cache.
std::size_t group_end(const SetPatterns& patterns, std::size_t first,
                      const MismatchRequest& request, std::size_t most = 4096) {
  constexpr std::uint64_t most_symbols = std::uint64_t{1} << 18, most_counts = 1 << 16;
  most = std::min<std::size_t>(most, most_counts / (request.mismatches + 1));
  std::size_t end = first + 1;
  while (end < patterns.size() && end - first < most &&
         patterns.ends[end] - patterns.begin_of(first) <= most_symbols)
    ++end;
  return end;
}

}  // namespace

double ScanSearcher::cost(const SetPatterns& patterns, const MismatchRequest& request) const {
  // Measured on one core: making the planes of a symbol, and comparing it with a strand, where a
  // random place is excluded after `compared` positions.
  constexpr double planes = 0.06e-9, position = 1.6e-12;
  const double strands = request.strands == Strands::both ? 2 : 1;
  double compared = 0;
  for (std::size_t i = 0; i < patterns.size(); ++i)
    compared +=
        std::min<double>(static_cast<double>(patterns[i].size()), request.mismatches * 2 + 10);
  return static_cast<double>(text_.length()) * (planes + strands * compared * position);
}

/// Adds the places of the programs to `counts`, and gives them to the collectors, one per thread,
/// if there are any.
void ScanSearcher::scan(const StrandPrograms& programs, const ThreadShare::Call& call,
                        MismatchCounts& counts, std::vector<HitCollector>* collectors) const {
  if (programs.programs().empty()) return;
  struct Worker {
    explicit Worker(const TextView& text) : block(text) {}
    BitBlock block;
    MismatchCounts counts;
  };
  const std::uint64_t blocks = scan_blocks(text_);
  const std::uint64_t task_blocks =
      std::clamp<std::uint64_t>(4096 / (programs.programs().size() + 3), 1, 256);
  std::vector<std::unique_ptr<Worker>> workers(static_cast<std::size_t>(call.most()));

  for (std::uint64_t first = 0; first < blocks;) {
    const int threads = call.threads();
    // A piece takes some hundredths of a second; other calls may have begun or ended meanwhile.
    const std::uint64_t last =
        std::min(blocks, first + task_blocks * 64 * static_cast<std::uint64_t>(threads));
    const std::uint64_t tasks = (last - first + task_blocks - 1) / task_blocks;
    parallel_for(threads, tasks, [&](std::uint64_t task, int thread) {
      const auto number = static_cast<std::size_t>(thread);
      std::unique_ptr<Worker>& worker = workers[number];
      if (!worker) {
        worker = std::make_unique<Worker>(text_);
        worker->counts.reset(counts.patterns(), programs.most());
      }
      PlaceTaker taker(text_, programs, worker->counts,
                       collectors != nullptr ? &(*collectors)[number] : nullptr);
      const std::uint64_t begin = first + task * task_blocks;
      for (std::uint64_t i = begin; i < std::min(last, begin + task_blocks); ++i)
        scan_block(worker->block, i, programs, path_, taker);
    });
    first = last;
  }
  for (const std::unique_ptr<Worker>& worker : workers)
    if (worker) counts.add(worker->counts);
}

void ScanSearcher::count(const SetPatterns& patterns, const MismatchRequest& request,
                         MismatchCounts& counts) const {
  counts.reset(patterns.size(), request.mismatches);
  const ThreadShare::Call call(threads_);
  MismatchCounts some;
  for (std::size_t first = 0; first < patterns.size();) {
    const std::size_t end = group_end(patterns, first, request);
    some.reset(end - first, request.mismatches);
    scan(StrandPrograms(patterns.some(first, end), request), call, some, nullptr);
    for (std::size_t i = first; i < end; ++i)
      for (const bool reverse : {false, true})
        std::ranges::copy(some.of(i - first, reverse), counts.of(i, reverse).begin());
    first = end;
  }
}

/// Delivers the hits of some patterns. Hits of a group of patterns are collected while they are
/// counted. If there is no room for those of all, those of the last patterns are only counted. The
/// counts then tell which of them can be collected together in another scan. A pattern with more
/// hits than there is room for is scanned for alone, and its hits are delivered as they come.
class ScanSearcher::Stream {
 public:
  Stream(const ScanSearcher& searcher, const SetPatterns& patterns, const MismatchRequest& request,
         const HitSink& sink)
      : searcher_(searcher),
        patterns_(patterns),
        request_(request),
        sink_(sink),
        call_(searcher.threads_),
        // A collected hit takes 16 bytes, and 8 when it is sorted.
        room_(searcher.memory_.hits_at_once / 3),
        at_once_(std::max<std::uint64_t>(1, searcher.memory_.hits_at_once)) {}

  void run() {
    std::size_t most = group_patterns;
    for (std::size_t first = 0; first < patterns_.size();) {
      const std::size_t end = group_end(patterns_, first, request_, most);
      const std::uint64_t found = deliver_group(first, end);
      // The next group should have room for as many hits per pattern.
      most = std::clamp<std::size_t>(room_ / 2 / (found / (end - first) + 1), 16, group_patterns);
      first = end;
    }
  }

 private:
  static constexpr std::size_t group_patterns = 4096;

  /// Returns the number of hits of the patterns [first, end).
  std::uint64_t deliver_group(std::size_t first, std::size_t end) {
    first_ = first;
    counts_.reset(end - first, request_.mismatches);
    const SetPatterns group = patterns_.some(first, end);
    WantedHits wanted(group.size(), request_.max_hits);
    std::vector<HitCollector> collectors = collectors_for(wanted, room_);
    searcher_.scan(StrandPrograms(group, request_), call_, counts_, &collectors);
    std::size_t done = wanted.limit();
    give(0, done, sorted_hits(collectors, done, request_.max_hits));
    while (done < group.size())
      done = deliver_counted(group, done);
    std::uint64_t found = 0;
    for (std::size_t i = 0; i < group.size(); ++i)
      found += counts_.total(i).total();
    return found;
  }

  /// Delivers the hits of some patterns from `first` on, whose counts are known; returns the end of
  /// these patterns.
  std::size_t deliver_counted(const SetPatterns& group, std::size_t first) {
    std::vector<std::uint32_t> fewer_than;
    std::uint64_t held = 0;
    std::size_t end = first;
    for (; end < group.size(); ++end) {
      const auto [classes, hits] = kept_classes(end);
      if (held + hits > room_) break;
      held += hits;
      fewer_than.push_back(classes);
    }
    if (end == first) {
      deliver_alone(group, first);
      return first + 1;
    }
    WantedHits wanted(end - first, request_.max_hits);
    wanted.want(std::move(fewer_than));
    std::vector<HitCollector> collectors = collectors_for(wanted, unlimited);
    if (held > 0) {
      MismatchCounts again;
      again.reset(end - first, request_.mismatches);
      searcher_.scan(StrandPrograms(group.some(first, end), request_), call_, again, &collectors);
    }
    give(first, end, sorted_hits(collectors, end - first, request_.max_hits));
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
    const StrandPrograms programs(group.some(pattern, pattern + 1), request_);
    const StrandCounts total = counts_.total(pattern);
    FewestMismatches fewest(counts_, pattern, request_.max_hits);
    WantedHits wanted(1, unlimited);
    HitCollector collector(wanted, unlimited);
    MismatchCounts again;
    again.reset(1, request_.mismatches);
    PlaceTaker taker(searcher_.text_, programs, again, &collector);
    BitBlock block(searcher_.text_);

    std::vector<Hit> hits;
    std::uint64_t before = 0;
    const auto pass_on = [&] {
      const std::uint64_t end = hits.size();
      sink_({first_ + pattern, before, request_.max_hits, {&total, 1}, {&end, 1}, hits});
      before += end;
      hits.clear();
    };
    for (std::uint64_t i = 0; i < scan_blocks(searcher_.text_); ++i) {
      scan_block(block, i, programs, searcher_.path_, taker);
      std::vector<PatternHit>& found = collector.hits();
      std::sort(found.begin(), found.end(),
                [](const PatternHit& a, const PatternHit& b) { return a.hit < b.hit; });
      for (const PatternHit& place : found) {
        if (!fewest.take(place.hit)) continue;
        hits.push_back(place.hit);
        if (hits.size() >= at_once_) pass_on();
      }
      found.clear();
    }
    if (!hits.empty()) pass_on();
  }

  /// Collectors for all threads.
  std::vector<HitCollector> collectors_for(WantedHits& wanted, std::uint64_t room) const {
    const auto threads = static_cast<std::size_t>(call_.most());
    return {threads, HitCollector(wanted, room / threads)};
  }

  /// Delivers the hits of the patterns [first, end) of the group.
  void give(std::size_t first, std::size_t end, const SortedHits& found) const {
    if (first == end) return;
    std::vector<StrandCounts> totals;
    for (std::size_t i = first; i < end; ++i)
      totals.push_back(counts_.total(i));
    sink_({first_ + first, 0, request_.max_hits, totals, found.ends, found.hits});
  }

  const ScanSearcher& searcher_;
  const SetPatterns& patterns_;
  const MismatchRequest& request_;
  const HitSink& sink_;
  ThreadShare::Call call_;
  std::uint64_t room_;     ///< hits that may be collected
  std::uint64_t at_once_;  ///< hits that may be delivered at a time
  std::size_t first_ = 0;  ///< pattern of the group
  MismatchCounts counts_;  ///< of the group
};

void ScanSearcher::stream_hits(const SetPatterns& patterns, const MismatchRequest& request,
                               const HitSink& sink) const {
  Stream(*this, patterns, request, sink).run();
}

}  // namespace gsx
