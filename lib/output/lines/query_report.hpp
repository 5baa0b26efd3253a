// Formats the results of count and locate as lines of text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/text_pieces.hpp"
#include "records/record_batch.hpp"
#include "search/exact/hits.hpp"
#include "search/mismatches/mismatches.hpp"
#include "text/text.hpp"

namespace gsx {

inline constexpr const char* count_header = "query_id\tlength\tcount\tcount_fwd\tcount_rev\n";
inline constexpr const char* locate_header =
    "query_id\ttarget_id\tstart\tend\tstrand\tmismatches\tn_total\tn_reported\ttruncated\n";

inline constexpr const char* locate_header_with_files =
    "query_id\ttarget_id\tstart\tend\tstrand\tmismatches\tn_total\tn_reported\ttruncated\tfile_"
    "id\n";

enum class LocateFormat : std::uint8_t { tsv, bed, paf, jsonl, sam, bam, bedgraph };

/// Appends one TSV line per query; count_header names the columns.
void append_counts(TextPieces& pieces, const RecordBatch& queries,
                   const std::vector<StrandCounts>& counts);

/// The header of the lines of append_mismatch_counts(), with columns for 0 to `mismatches`.
std::string mismatch_count_header(std::uint32_t mismatches);

/// Appends one TSV line per query: as append_counts(), then the places with 0, 1, ... mismatches on
/// both strands.
void append_mismatch_counts(TextPieces& pieces, const RecordBatch& queries,
                            const MismatchCounts& counts);

/// The text and the letters that the CIGARs of hits with mismatches are made of.
struct MismatchText {
  TextView text;
  bool iupac = false;  ///< whether the letters of queries are IUPAC codes
};

/// Appends one line per hit, in any format but SAM and BAM (see Alignments), and bedGraph, which
/// has no lines of hits. `mismatched` is needed where hits have mismatches. In jsonl, appends one
/// line per query with its hits inside: the chunk with the first hit opens it, and the one with the
/// last hit closes it. Coordinates are 0-based, half-open, and on the forward strand of the target.
/// A place that spans the origin of a circular target ends behind the end of the target; in BED and
/// PAF, it is two lines, up to the end and from the beginning of the target. If `with_files`, each
/// hit names the input file of its target: in the last column of TSV, in the tag fi of PAF, or as
/// file_id in jsonl. Pre: then the files of `targets` are kept, and the format is one of these.
void append_hits(TextPieces& pieces, const RecordBatch& queries, const HitChunk& chunk,
                 const RecordsView& targets, const SegmentsView& segments, LocateFormat format,
                 const MismatchText* mismatched = nullptr, bool with_files = false);

}  // namespace gsx
