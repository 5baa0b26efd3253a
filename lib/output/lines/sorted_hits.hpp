// Passes lines of hits to a sorter.
#pragma once

#include <cstdint>
#include <optional>

#include "base/text_pieces.hpp"
#include "bytes/line_sorter.hpp"
#include "output/lines/target_finder.hpp"
#include "records/record_batch.hpp"
#include "search/exact/hits.hpp"

namespace gsx {

/// Takes the lines that append_hits() makes of a chunk, one per hit, and gives each to the sorter
/// with its key: the position in the text (which orders by target and start), then the strand, then
/// the number of the query. With `parts`, places that span an origin have two lines, each with its
/// own position.
class SortedHits {
 public:
  SortedHits(LineSorter::Collector& collector, const std::optional<TargetFinder>& parts);
  SortedHits(const SortedHits&) = delete;
  SortedHits& operator=(const SortedHits&) = delete;

  /// The next lines are those of `chunk`, which belongs to the batch `queries`.
  void begin(const RecordBatch& queries, const HitChunk& chunk);
  TextPieces& lines() { return lines_; }

 private:
  void take(std::string& text);

  std::uint64_t next_position();

  LineSorter::Collector& collector_;
  std::optional<TargetFinder> parts_;
  TextPieces lines_;
  const RecordBatch* queries_ = nullptr;
  HitChunk chunk_;
  std::uint64_t next_ = 0;             ///< the hit of the chunk whose line comes next
  std::size_t pattern_ = 0;            ///< index in the chunk of the pattern of the last line's hit
  Hit hit_;                            ///< of the last line
  std::optional<std::uint64_t> rest_;  ///< where its second line, which comes next, begins
};

}  // namespace gsx
