// Where the positions of a track lie in a text.
#pragma once

#include <cstdint>

#include "output/tracks/piece_runs.hpp"
#include "text/text.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// The segments of the records of a text.
struct RecordSegments {
  RecordsView records;
  SegmentsView segments;

  /// Calls on_piece(begin, end, offset) for the parts of segments in the range, in order: positions
  /// [begin, end) of the text, of which the first is at `offset` in the record.
  template <class OnPiece>
  void for_each(const TrackRange& range, const OnPiece& on_piece) const {
    const std::uint64_t last = range.record + 1 < records.size()
                                   ? records.infos[range.record + 1].first_segment
                                   : segments.count;
    for (std::uint64_t s = first_in(range, last); s < last; ++s) {
      const std::uint64_t offset = records.segment_offsets[s];
      const std::uint64_t length = segments.starts[s + 1] - 1 - segments.starts[s];
      const std::uint64_t begin = range.begin > offset ? range.begin : offset;
      const std::uint64_t end = range.end < offset + length ? range.end : offset + length;
      if (offset >= range.end) return;
      if (begin < end)
        on_piece(segments.starts[s] + begin - offset, segments.starts[s] + end - offset, begin);
    }
  }

 private:
  /// The first segment of the record that ends in the range or behind it.
  std::uint64_t first_in(const TrackRange& range, std::uint64_t last) const {
    std::uint64_t low = records.infos[range.record].first_segment, high = last;
    while (low < high) {
      const std::uint64_t middle = (low + high) / 2;
      const std::uint64_t length = segments.starts[middle + 1] - 1 - segments.starts[middle];
      if (records.segment_offsets[middle] + length <= range.begin) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
};

}  // namespace gsx
