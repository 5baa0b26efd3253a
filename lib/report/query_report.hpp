// Results of count and locate as lines of text.
#pragma once

#include <cstdint>
#include <vector>

#include "base/text_pieces.hpp"
#include "search/hits.hpp"
#include "seq/record_batch.hpp"
#include "text/text.hpp"

namespace gsx {

inline constexpr const char* count_header = "query_id\tlength\tcount\tcount_fwd\tcount_rev\n";
inline constexpr const char* locate_header =
    "query_id\ttarget_id\tstart\tend\tstrand\tmismatches\tn_total\tn_reported\ttruncated\n";

enum class LocateFormat : std::uint8_t { tsv, bed, paf, jsonl };

/// One TSV line per query, as count_header names the columns.
void append_counts(TextPieces& out, const RecordBatch& queries,
                   const std::vector<StrandCounts>& counts);

/// One line per hit (jsonl: one per query, hits inside, which the chunk with the query's first hit
/// opens and the one with its last hit closes). Coordinates are 0-based and half-open, on the
/// target's forward strand.
void append_hits(TextPieces& out, const RecordBatch& queries, const HitChunk& chunk,
                 const RecordsView& targets, const SegmentsView& segments, LocateFormat format);

}  // namespace gsx
