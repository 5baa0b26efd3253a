// Counts the hits of each query in each record, as hits come in.
#pragma once

#include <cstdint>

#include "base/text_pieces.hpp"
#include "records/record_batch.hpp"
#include "search/exact/hits.hpp"
#include "text/text.hpp"

namespace gsx {

inline constexpr const char* record_counts_header =
    "query_id\ttarget_id\tcount\tcount_fwd\tcount_rev\n";

/// Adds up the hits of a batch, which must come by query and record. Appends one TSV line per query
/// and record with hits, records in input order. Holds one line at a time.
class RecordCounts {
 public:
  RecordCounts(TextPieces& out, const RecordBatch& queries, const RecordsView& targets,
               const SegmentsView& segments)
      : out_(out), queries_(queries), targets_(targets), segments_(segments) {}

  void add(const HitChunk& chunk);
  /// Appends the last line.
  void finish();

 private:
  void begin(std::size_t query, std::uint64_t position);

  TextPieces& out_;
  const RecordBatch& queries_;
  RecordsView targets_;
  SegmentsView segments_;
  std::size_t query_ = 0;
  std::uint64_t target_ = 0;
  std::uint64_t target_end_ = 0;  ///< where the target ends in the text
  StrandCounts counts_;
};

}  // namespace gsx
