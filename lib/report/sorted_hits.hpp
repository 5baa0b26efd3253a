// Passes lines of hits to a sorter.
#pragma once

#include <cstdint>

#include "base/text_pieces.hpp"
#include "io/line_sorter.hpp"
#include "search/hits.hpp"

namespace gsx {

/// Takes the lines that append_hits() makes of a chunk, one per hit, and gives each to the sorter
/// with its key: the position in the text (which orders by target and start), then the strand, then
/// the number of the query.
class SortedHits {
 public:
  explicit SortedHits(LineSorter::Collector& collector);
  SortedHits(const SortedHits&) = delete;
  SortedHits& operator=(const SortedHits&) = delete;

  /// The next lines are those of `chunk`, which belongs to the batch with number `batch`.
  void begin(std::uint64_t batch, const HitChunk& chunk);
  TextPieces& lines() { return lines_; }

 private:
  void take(std::string& text);

  LineSorter::Collector& collector_;
  TextPieces lines_;
  std::uint64_t batch_ = 0;
  HitChunk chunk_;
  std::uint64_t hit_ = 0;    ///< the hit of the chunk whose line comes next
  std::size_t pattern_ = 0;  ///< index in the chunk of the pattern of that hit
};

}  // namespace gsx
