// Searches of which only the hits within regions count.
#pragma once

#include <memory>
#include <utility>

#include "search/exact/searcher.hpp"
#include "search/mismatches/mismatches.hpp"
#include "text/text_regions.hpp"

namespace gsx {

/// Leaves out the hits of another searcher that do not lie wholly within a region; counts are of
/// those that are kept. Of a pattern with more than max_hits, it gives those with the fewest
/// mismatches, among equal ones the first in output order. Cost: that of giving all hits of the
/// other searcher, also where few are asked for, or only their numbers; twice that if more than
/// some are kept.
template <class Kind>
class RegionSearcherOf final : public Kind::Searcher {
 public:
  /// Refers to the regions.
  RegionSearcherOf(std::unique_ptr<typename Kind::Searcher> all, const TextRegions& regions)
      : all_(std::move(all)), regions_(regions) {}

  void count(const typename Kind::Batch& patterns, typename Kind::CountRequest request,
             typename Kind::Counts& counts) const override;
  void stream(const typename Kind::Batch& patterns, const typename Kind::Request& request,
              const HitSink& sink) const override;
  std::size_t best_batch() const override { return all_->best_batch(); }

 private:
  std::unique_ptr<typename Kind::Searcher> all_;
  const TextRegions& regions_;
};

/// A searcher of the hits within the regions; `all` itself if there are none given.
template <class Some>
std::unique_ptr<Some> within_regions(std::unique_ptr<Some> all, const TextRegions* regions) {
  if (regions == nullptr) return all;
  return std::make_unique<RegionSearcherOf<KindOf<Some>>>(std::move(all), *regions);
}

}  // namespace gsx
