// Writes hits, by query or for a sorter.
#pragma once

#include <optional>

#include "output/lines/query_report.hpp"
#include "output/lines/sorted_hits.hpp"

namespace gsx {

/// How the hits of a run are written.
struct HitLineOptions {
  ResultFormat format = ResultFormat::tsv;
  bool circular = false;         ///< whether hits may span origins
  bool with_files = false;       ///< whether they name input files
  LineSorter* sorter = nullptr;  ///< takes the lines, if there is one
};

/// Writes the hits of one thread.
class HitLines {
 public:
  HitLines(const RecordsView& targets, const SegmentsView& segments, const HitLineOptions& options)
      : targets_(targets), segments_(segments), options_(options) {
    const bool splits = options.format == ResultFormat::bed || options.format == ResultFormat::paf;
    std::optional<TargetFinder> parts;
    if (options.circular && splits) parts.emplace(targets, segments);
    if (options.sorter != nullptr) sorted_.emplace(options.sorter->collector(), parts);
  }

  /// Writes a chunk to `text`, unless there is a sorter; see append_hits().
  void add(TextPieces& text, const RecordBatch& queries, const HitChunk& chunk,
           const MismatchPlaces* mismatches) {
    if (sorted_) sorted_->begin(queries, chunk);
    append_hits(sorted_ ? sorted_->lines() : text, queries, chunk, targets_, segments_,
                options_.format, mismatches, options_.with_files);
    if (sorted_) sorted_->lines().flush();
  }

 private:
  RecordsView targets_;
  SegmentsView segments_;
  HitLineOptions options_;
  std::optional<SortedHits> sorted_;
};

}  // namespace gsx
