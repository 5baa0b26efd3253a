// Counts the hits of each query in each record or input file, as hits come in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

#include "search/exact/hits.hpp"
#include "text/text.hpp"

namespace gsx {

/// What hits are counted by.
enum class CountPlace : std::uint8_t { record, file };

/// Adds up the hits of a batch, which must come by query and record. Holds one number.
class PlaceCounts {
 public:
  /// Takes how often a query occurs in a record or file that has hits of it, by their numbers:
  /// queries and places come in input order.
  using Take = std::function<void(std::size_t query, std::uint64_t place, const StrandCounts&)>;

  /// Pre: the files of `targets` are kept if hits are counted by file.
  PlaceCounts(CountPlace by, const RecordsView& targets, const SegmentsView& segments, Take take)
      : by_(by), targets_(targets), segments_(segments), take_(std::move(take)) {}

  void add(const HitChunk& chunk);
  /// Gives the last count.
  void finish();

 private:
  std::uint64_t end_of(std::uint64_t place) const;
  void begin(std::size_t query, std::uint64_t position);

  CountPlace by_;
  RecordsView targets_;
  SegmentsView segments_;
  Take take_;
  std::size_t query_ = 0;
  std::uint64_t place_ = 0;
  std::uint64_t place_end_ = 0;  ///< where the place ends in the text
  StrandCounts counts_;
};

}  // namespace gsx
