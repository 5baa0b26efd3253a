// Searches in which records may be circular.
#pragma once

#include <memory>
#include <span>
#include <utility>

#include "device/circular/origins.hpp"
#include "search/exact/searcher.hpp"
#include "search/mismatches/mismatches.hpp"

namespace gsx {

/// Adds the places that span origins to those that another searcher finds. Such a place starts
/// before the origin, and holds no symbol twice. Of a pattern with more than max_hits places, an
/// exact search gives those first that do not span an origin, and then those that do, in output
/// order; one with mismatches gives those with the fewest mismatches, as always.
template <class Kind>
class CircularSearcherOf final : public Kind::Searcher {
 public:
  CircularSearcherOf(std::unique_ptr<typename Kind::Searcher> others,
                     std::shared_ptr<const Origins> origins, const SearchMemory& memory)
      : others_(std::move(others)), origins_(std::move(origins)), memory_(memory) {}

  void count(const typename Kind::Batch& patterns, typename Kind::CountRequest request,
             typename Kind::Counts& counts) const override;
  void stream(const typename Kind::Batch& patterns, const typename Kind::Request& request,
              const HitSink& sink) const override;
  std::size_t best_batch() const override { return others_->best_batch(); }

 private:
  std::unique_ptr<typename Kind::Searcher> others_;
  std::shared_ptr<const Origins> origins_;
  SearchMemory memory_;
};
using CircularSearcher = CircularSearcherOf<ExactSearch>;
using CircularMismatchSearcher = CircularSearcherOf<MismatchSearch>;

/// A searcher that also finds the places which span the origins of the `circular` records; `others`
/// itself if there are none of these.
template <class Some>
std::unique_ptr<Some> with_origins(std::unique_ptr<Some> others, const TextView& text,
                                   const RecordsView& records,
                                   std::span<const std::uint64_t> circular,
                                   const JunctionOptions& options) {
  if (circular.empty()) return others;
  return std::make_unique<CircularSearcherOf<KindOf<Some>>>(
      std::move(others), std::make_shared<const Origins>(text, records, circular, options),
      options.memory);
}

}  // namespace gsx
