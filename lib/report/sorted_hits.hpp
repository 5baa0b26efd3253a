// Lines of hits on their way to a sorter.
#pragma once

#include <cstdint>

#include "base/text_pieces.hpp"
#include "io/line_sorter.hpp"
#include "search/hits.hpp"

namespace gsx {

/// Takes the lines that append_hits makes of a chunk, one per hit, and gives each to the sorter
/// with its place: position in the text, which is target order and start, then strand, then the
/// query's place in the input.
class SortedHits {
 public:
  explicit SortedHits(LineSorter::Collector& collector);
  SortedHits(const SortedHits&) = delete;
  SortedHits& operator=(const SortedHits&) = delete;

  /// The lines that come are those of `chunk`, of the batch with this number.
  void begin(std::uint64_t batch, const HitChunk& chunk);
  TextPieces& lines() { return lines_; }

 private:
  void take(std::string& text);

  LineSorter::Collector& collector_;
  TextPieces lines_;
  std::uint64_t batch_ = 0;
  HitChunk chunk_;
  std::uint64_t hit_ = 0;    ///< of the chunk, whose line comes next
  std::size_t pattern_ = 0;  ///< its pattern's number in the chunk
};

}  // namespace gsx
