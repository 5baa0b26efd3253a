// How many hits of a run cover each position of the records.
#pragma once

#include <cstdint>

#include "output/tracks/depth_counters.hpp"
#include "output/tracks/record_segments.hpp"
#include "records/record_batch.hpp"
#include "search/exact/hits.hpp"
#include "text/text.hpp"

namespace gsx {

/// Counts the reported hits of a run over each symbol of the text. A hit that spans the origin of a
/// circular record covers both ends of it. Memory: that of DepthCounters, 2 bytes per symbol.
class HitDepths {
 public:
  /// Refers to what the views do. `circular`: hits may span the origins of records.
  HitDepths(const RecordsView& records, const SegmentsView& segments, bool circular)
      : text_{records, segments}, circular_(circular), counters_(segments.length()) {}

  /// Adds the hits of a chunk of that batch. Any thread may call it.
  void add(const RecordBatch& queries, const HitChunk& chunk);
  /// Ends the counting; fill() comes after it.
  void sum(int threads) { counters_.sum(threads); }
  /// Adds the depths of a range of a record that are not 0, as counts. Any thread may call it.
  void fill(const TrackRange& range, PieceRuns& runs) const;

 private:
  template <class Add>
  void for_each_hit(const RecordBatch& queries, const HitChunk& chunk, const Add& add) const;

  RecordSegments text_;
  bool circular_;
  DepthCounters counters_;
};

}  // namespace gsx
