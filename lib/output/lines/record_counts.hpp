// Writes how often each query occurs in each record.
#pragma once

#include <cstdint>

#include "base/text_pieces.hpp"
#include "output/lines/hit_row.hpp"
#include "records/record_batch.hpp"
#include "text/text.hpp"

namespace gsx {

inline constexpr const char* record_counts_header = header_of<RecordCountColumns>;

/// Appends one TSV line per query and record with hits.
class RecordCountLines {
 public:
  RecordCountLines(TextPieces& out, const RecordBatch& queries, const RecordsView& targets)
      : out_(out), queries_(queries), targets_(targets) {}

  void add(std::size_t query, std::uint64_t record, const StrandCounts& counts);

 private:
  TextPieces& out_;
  const RecordBatch& queries_;
  RecordsView targets_;
};

}  // namespace gsx
