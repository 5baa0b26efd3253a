#include "search/mismatches/cheapest_searcher.hpp"

#include "base/log.hpp"

namespace gsx {

const MismatchWay& CheapestSearcher::choose(const SetPatterns& patterns,
                                            const MismatchRequest& request) const {
  const MismatchWay* cheapest = nullptr;
  double least = MismatchWay::impossible;
  for (const std::unique_ptr<MismatchWay>& way : ways_) {
    const double cost = way->cost(patterns, request);
    if (cheapest != nullptr && cost >= least) continue;
    cheapest = way.get();
    least = cost;
  }
  if (logged_.exchange(cheapest, std::memory_order_relaxed) != cheapest) {
    log().debug("{} patterns with up to {} mismatches: {}, about {:.3g} s of one core",
                patterns.size(), request.mismatches, cheapest->name(), least);
  }
  return *cheapest;
}

void CheapestSearcher::count(const SetPatterns& patterns, const MismatchRequest& request,
                             MismatchCounts& counts) const {
  choose(patterns, request).count(patterns, request, counts);
}

void CheapestSearcher::stream(const SetPatterns& patterns, const MismatchRequest& request,
                              const HitSink& sink) const {
  choose(patterns, request).stream(patterns, request, sink);
}

}  // namespace gsx
