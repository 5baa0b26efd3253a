// Writes partial results; part_format.hpp says how.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/text_pieces.hpp"
#include "output/lines/mismatch_places.hpp"
#include "output/parts/part_format.hpp"
#include "output/summary/run_summary.hpp"
#include "records/record_batch.hpp"
#include "search/exact/hits.hpp"
#include "text/text.hpp"

namespace gsx {

/// Makes frames of the stream, as it comes. Holds less than a frame.
class PartFrames {
 public:
  /// Takes the next bytes of the stream, and leaves in their place what is to be written.
  void seal(std::string& bytes);
  /// The end of the file. Pre: the whole stream has come.
  std::string finish();

 private:
  void append_frame(std::string& out, std::string_view content);

  std::string pending_;
  std::uint64_t frames_ = 0;
  bool begun_ = false;
};

/// What a part tells of the index that was searched.
struct PartIndex {
  RecordsView records;
  SegmentsView segments;
  std::span<const std::uint64_t> circular;  ///< records, in ascending order
  bool with_files = false;      ///< whether results name the input files, which are kept
  bool named_circular = false;  ///< whether the circular records are those of some names
  PartRegions regions = {};     ///< of these records
};

/// The stream up to the first query. `run` has no figures.
std::string part_head(const RunSummary& run, PartContent content, const PartIndex& index);
/// The stream behind the last query.
std::string part_end(const RunSummary& run);

/// Appends the counts of the queries of a batch. Pre: symbols are kept.
class PartCounts {
 public:
  PartCounts(TextPieces& out, const RecordBatch& queries) : out_(out), queries_(queries) {}

  /// Adds a place with hits of a query. Queries and places come in ascending order.
  void add(std::size_t query, std::uint64_t place, const StrandCounts& counts);
  /// Appends what is left of the batch.
  void finish();

 private:
  void begin_next();

  TextPieces& out_;
  const RecordBatch& queries_;
  std::size_t begun_ = 0;  ///< queries
  std::uint64_t previous_ = 0;
};

/// Appends the hits of the queries of a batch, chunk by chunk. Pre: symbols are kept.
class PartHits {
 public:
  PartHits(TextPieces& out, const RecordBatch& queries) : out_(out), queries_(queries) {}

  /// `mismatches`: those of the hits, after a search with mismatches; else null.
  void add(const HitChunk& chunk, const MismatchPlaces* mismatches);

 private:
  TextPieces& out_;
  const RecordBatch& queries_;
  std::uint64_t previous_ = 0;  ///< position of the last hit
};

}  // namespace gsx
