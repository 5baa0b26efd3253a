// Searches in which records may be circular.
#pragma once

#include <memory>
#include <span>

#include "device/circular/origins.hpp"
#include "search/exact/searcher.hpp"
#include "search/mismatches/mismatches.hpp"

namespace gsx {

struct OriginHits;

/// Adds the places that span origins to those that another searcher finds. Such a place starts
/// before the origin, and holds no symbol twice. Of a pattern with more than max_hits places, those
/// that do not span an origin come first, and then those that do, in output order.
class CircularSearcher final : public Searcher {
 public:
  CircularSearcher(std::unique_ptr<Searcher> others, std::shared_ptr<const Origins> origins,
                   const SearchMemory& memory)
      : others_(std::move(others)), origins_(std::move(origins)), memory_(memory) {}

  void count(const Patterns& patterns, Strands strands,
             std::vector<StrandCounts>& counts) const override;
  void stream(const Patterns& patterns, const LocateRequest& request,
              const HitSink& sink) const override;
  std::size_t best_batch() const override { return others_->best_batch(); }

 private:
  std::unique_ptr<Searcher> others_;
  std::shared_ptr<const Origins> origins_;
  SearchMemory memory_;
};

/// The same with mismatches. max_hits keeps the places with the fewest mismatches, as always.
class CircularMismatchSearcher final : public MismatchSearcher {
 public:
  CircularMismatchSearcher(std::unique_ptr<MismatchSearcher> others,
                           std::shared_ptr<const Origins> origins, const SearchMemory& memory)
      : others_(std::move(others)), origins_(std::move(origins)), memory_(memory) {}

  void count(const SetPatterns& patterns, const MismatchRequest& request,
             MismatchCounts& counts) const override;
  void stream(const SetPatterns& patterns, const MismatchRequest& request,
              const HitSink& sink) const override;

 private:
  MismatchCounts counts_by_class(const SetPatterns& patterns, const MismatchRequest& request,
                                 const OriginHits& origins) const;

  std::unique_ptr<MismatchSearcher> others_;
  std::shared_ptr<const Origins> origins_;
  SearchMemory memory_;
};

/// A searcher that also finds the places which span the origins of the `circular` records; `others`
/// itself if there are none of these.
std::unique_ptr<Searcher> with_origins(std::unique_ptr<Searcher> others, const TextView& text,
                                       const RecordsView& records,
                                       std::span<const std::uint64_t> circular,
                                       const JunctionOptions& options);
std::unique_ptr<MismatchSearcher> with_origins(std::unique_ptr<MismatchSearcher> others,
                                               const TextView& text, const RecordsView& records,
                                               std::span<const std::uint64_t> circular,
                                               const JunctionOptions& options);

}  // namespace gsx
