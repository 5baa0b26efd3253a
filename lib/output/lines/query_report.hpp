// Formats the results of count and locate as lines of text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/text_pieces.hpp"
#include "output/lines/hit_row.hpp"
#include "output/lines/mismatch_places.hpp"
#include "output/lines/result_format.hpp"
#include "records/record_batch.hpp"
#include "search/exact/hits.hpp"
#include "search/mismatches/mismatches.hpp"
#include "text/text.hpp"

namespace gsx {

inline constexpr const char* count_header = header_of<CountColumns>;
inline constexpr const char* locate_header = header_of<HitColumns>;
inline constexpr const char* locate_header_with_files = header_of<WithFile<HitColumns>>;

/// Appends one TSV line per query; count_header names the columns.
void append_counts(TextPieces& pieces, const RecordBatch& queries,
                   const std::vector<StrandCounts>& counts);

/// The header of the lines of append_mismatch_counts(), with columns for 0 to `mismatches`.
std::string mismatch_count_header(std::uint32_t mismatches);

/// Appends one TSV line per query: as append_counts(), then the places with 0, 1, ... mismatches on
/// both strands.
void append_mismatch_counts(TextPieces& pieces, const RecordBatch& queries,
                            const MismatchCounts& counts);

/// Appends one line per hit, as TSV, BED, PAF or GFF3. `mismatches` are
/// needed in PAF where hits have some. In jsonl, appends one line per query with its hits inside:
/// the chunk with the first hit opens it, and the one with the last hit closes it. Coordinates are
/// 0-based, half-open, and on the forward strand of the target, but as the format has it in GFF3. A
/// place that spans the origin of a circular target ends behind the end of the target; in BED and
/// PAF, it is two lines, up to the end and from the beginning of the target. If `with_files`, each
/// hit names the input file of its target: as file_id in TSV, jsonl and GFF3, in the tag fi of PAF.
/// Pre: then the files of `targets` are kept, and the format is one of these.
void append_hits(TextPieces& pieces, const RecordBatch& queries, const HitChunk& chunk,
                 const RecordsView& targets, const SegmentsView& segments, ResultFormat format,
                 const MismatchPlaces* mismatches = nullptr, bool with_files = false);

}  // namespace gsx
