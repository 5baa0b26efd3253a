// The tasks of count and locate: what a thread does with a batch of queries.
#pragma once

#include <memory>

#include "bytes/line_sorter.hpp"
#include "output/lines/alignments.hpp"
#include "output/lines/count_lines.hpp"
#include "output/lines/query_report.hpp"
#include "output/parts/part_format.hpp"
#include "run/pipeline.hpp"
#include "run/query_search.hpp"
#include "text/text.hpp"

namespace gsx {

/// The records in whose coordinates hits are reported.
struct QueryTargets {
  RecordsView records;
  SegmentsView segments;
  bool circular = false;  ///< whether some are circular, so that hits may span their origins
};

/// Writes the alignments of the queries, as SAM or BAM; see Alignments. Both must outlive the task.
std::unique_ptr<QueryTask> make_alignment_task(const QueryRun& run, const QueryTargets& targets,
                                               const AlignmentHeader& header,
                                               const MismatchText& text);

/// Writes one TSV line per query; see append_counts().
std::unique_ptr<QueryTask> make_count_task(const QueryRun& run);

/// Writes one TSV line per query, with a column for each number of mismatches; see
/// append_mismatch_counts().
std::unique_ptr<QueryTask> make_mismatch_count_task(const QueryRun& run);

/// Writes one TSV line per query and record that holds it; see RecordCountLines.
std::unique_ptr<QueryTask> make_record_count_task(const QueryRun& run, const QueryTargets& targets);

/// Writes how often each query occurs in each input file of the index; see FileCountLines.
std::unique_ptr<QueryTask> make_file_count_task(const QueryRun& run, const QueryTargets& targets,
                                                const FileCountOptions& options);

/// Writes one line per hit, or one JSON object per query; see append_hits(). If there is a
/// `sorter`, the lines go there and not to the text of the batch. If `with_files`, hits name the
/// input files of their targets.
std::unique_ptr<QueryTask> make_locate_task(const QueryRun& run, const QueryTargets& targets,
                                            ResultFormat format, LineSorter* sorter = nullptr,
                                            bool with_files = false);

/// Writes what a partial result holds of the queries; see PartCounts and PartHits.
std::unique_ptr<QueryTask> make_part_task(const QueryRun& run, const QueryTargets& targets,
                                          PartContent content);

/// Writes nothing: for runs whose hits are only counted.
std::unique_ptr<QueryTask> make_silent_locate_task(const QueryRun& run);

}  // namespace gsx
