// Finds the products of pairs of primers.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "amplicon/primers.hpp"
#include "amplicon/products.hpp"
#include "amplicon/record_axis.hpp"
#include "scan/mismatches.hpp"
#include "text/place_parts.hpp"
#include "text/text.hpp"

namespace gsx {

/// Searches primers, and holds the places of one pair at a time.
class AmpliconSearch {
 public:
  /// Takes the products of a pair, which is number i of the batch.
  using PairSink = std::function<void(std::size_t i, const ProductFinder& products)>;

  /// `most_places` bounds the places of a pair, of 8 bytes each. The `circular` records ascend; the
  /// searcher finds the places that span their origins.
  AmpliconSearch(const TextView& text, const RecordsView& records, const PrimerRules& primers,
                 const ProductRules& products, std::uint64_t most_places,
                 std::span<const std::uint64_t> circular = {})
      : text_(text),
        records_(records),
        axis_(records, circular),
        primers_(primers),
        products_(products),
        most_places_(most_places) {}

  const RecordAxis& axis() const { return axis_; }
  /// Gives each pair to `sink`, in order. Throws ResourceError if a pair has too many places.
  void search(const MismatchSearcher& searcher, const PrimerBatch& batch,
              const PairSink& sink) const;

 private:
  void add(const PrimerBatch& batch, std::size_t pattern, std::span<const Hit> hits,
           PrimerPlaces& places) const;
  bool has_end(const Hit& hit, const PlaceParts& parts, std::span<const BaseSet> pattern) const;

  TextView text_;
  RecordsView records_;
  RecordAxis axis_;
  PrimerRules primers_;
  ProductRules products_;
  std::uint64_t most_places_;
};

}  // namespace gsx
