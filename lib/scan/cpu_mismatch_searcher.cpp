#include "scan/cpu_mismatch_searcher.hpp"

#include "base/log.hpp"
#include "scan/scan_searcher.hpp"
#include "scan/seed_searcher.hpp"

namespace gsx {

CpuMismatchSearcher::CpuMismatchSearcher(const MismatchTarget& target, int threads,
                                         const SearchMemory& memory, CpuPath path) {
  ways_.push_back(std::make_unique<ScanSearcher>(target.text, threads, memory, path));
  if (target.index == nullptr) return;
  const MismatchWay& scan = *ways_.front();
  ways_.push_back(std::make_unique<SeedSearcher>(*target.index, scan, memory, path));
}

const MismatchWay& CpuMismatchSearcher::choose(const SetPatterns& patterns,
                                               const MismatchRequest& request) const {
  const MismatchWay* cheapest = nullptr;
  double least = MismatchWay::impossible;
  for (const std::unique_ptr<MismatchWay>& way : ways_) {
    const double cost = way->cost(patterns, request);
    if (cheapest != nullptr && cost >= least) continue;
    cheapest = way.get();
    least = cost;
  }
  log().debug("{} patterns with up to {} mismatches: {}, about {:.3g} s of one core",
              patterns.size(), request.mismatches, cheapest->name(), least);
  return *cheapest;
}

void CpuMismatchSearcher::count(const SetPatterns& patterns, const MismatchRequest& request,
                                MismatchCounts& counts) const {
  choose(patterns, request).count(patterns, request, counts);
}

void CpuMismatchSearcher::stream_hits(const SetPatterns& patterns, const MismatchRequest& request,
                                      const HitSink& sink) const {
  choose(patterns, request).stream_hits(patterns, request, sink);
}

}  // namespace gsx
