// Which symbols of hits are mismatches.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "output/lines/target_finder.hpp"
#include "records/record_batch.hpp"
#include "search/exact/hits.hpp"
#include "text/text.hpp"

namespace gsx {

/// The text and the letters that the mismatches of hits are told by.
struct MismatchText {
  TextView text;
  bool iupac = false;  ///< whether the letters of queries are IUPAC codes
};

/// The mismatches of the hits of a chunk: numbers of symbols of the place, in the order of the
/// target. A hit without mismatches has none. Memory: 8 bytes per hit and per mismatch.
struct MismatchPlaces {
  std::vector<std::uint64_t> ends;  ///< [hits] into `places`
  std::vector<std::uint64_t> places;

  void clear() {
    ends.clear();
    places.clear();
  }
  std::span<const std::uint64_t> of(std::uint64_t hit) const {
    const std::uint64_t begin = hit == 0 ? 0 : ends[hit - 1];
    return std::span(places).subspan(begin, ends[hit] - begin);
  }
};

/// Compares hits with the text.
class MismatchFinder {
 public:
  MismatchFinder(const MismatchText& text, const RecordsView& targets, const SegmentsView& segments)
      : text_(text), finder_(targets, segments) {}

  /// Sets the mismatches of a chunk of that batch.
  void find(const RecordBatch& queries, const HitChunk& chunk, MismatchPlaces& found);

 private:
  MismatchText text_;
  TargetFinder finder_;
};

}  // namespace gsx
