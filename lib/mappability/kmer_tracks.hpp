// What the frequencies of k-mers say of each position of a record, as values of a track.
#pragma once

#include <cstdint>
#include <vector>

#include "mappability/frequency_codes.hpp"
#include "text/text.hpp"
#include "text/text_view.hpp"
#include "track/piece_runs.hpp"

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

/// What a track says of the k-mer at a position, or of the k-mers around it.
enum class KmerValue : std::uint8_t {
  mappability,  ///< 1 / frequency
  frequency,
  umap_single,  ///< 1 where a unique k-mer covers the position, else nothing
  umap_multi,   ///< the share of unique k-mers among the k that may cover it; nothing if there is
                ///< none
};

/// Gives the values of records, piece by piece. Frequencies above `cap` count as `cap`. Positions
/// at which no k-mer begins, or that no unique one covers, have no value.
class KmerTrack {
 public:
  /// Refers to all that it is given. Throws RuntimeError for a frequency that is asked for, and
  /// that has no room in 32 bits.
  KmerTrack(const RecordSegments& text, const FrequencyCodes& codes, std::uint64_t k,
            KmerValue value, std::uint64_t cap);

  TrackKind kind() const {
    return value_ == KmerValue::frequency ? TrackKind::count : TrackKind::real;
  }
  /// Adds the values of a range. Any thread may call it.
  void fill(const TrackRange& range, PieceRuns& runs) const;

 private:
  void add_values(std::uint64_t begin, std::uint64_t end, std::uint64_t offset,
                  PieceRuns& runs) const;
  void add_umap(std::uint64_t begin, std::uint64_t end, std::uint64_t offset,
                PieceRuns& runs) const;
  /// The value of a position that so many unique k-mers cover.
  float covered(std::uint64_t unique) const;
  std::uint64_t capped(std::uint64_t frequency) const {
    return frequency < cap_ ? frequency : cap_;
  }

  const RecordSegments& text_;
  const FrequencyCodes& codes_;
  std::uint64_t k_;
  KmerValue value_;
  std::uint64_t cap_;
  std::vector<float> table_;  ///< of codes of 16 bits
};

}  // namespace gsx
