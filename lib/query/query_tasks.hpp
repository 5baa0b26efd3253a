// What a thread of count and of locate does with a batch of queries.
#pragma once

#include <memory>

#include "io/line_sorter.hpp"
#include "query/pipeline.hpp"
#include "query/query_tally.hpp"
#include "report/query_report.hpp"
#include "text/text.hpp"

namespace gsx {

/// What the tasks of a run share.
struct QueryRun {
  LocateRequest request;          ///< its max_hits is locate's alone
  bool palindromes_once = false;  ///< drop the reverse strand of patterns that equal it
  QueryTally* tally = nullptr;    ///< takes figures and queries without a hit, if anyone asks
};

/// Records that hits are reported in.
struct QueryTargets {
  RecordsView records;
  SegmentsView segments;
};

/// One TSV line per query: append_counts.
std::unique_ptr<QueryTask> make_count_task(const QueryRun& run);

/// One TSV line per query and record that holds it: RecordCounts.
std::unique_ptr<QueryTask> make_record_count_task(const QueryRun& run, const QueryTargets& targets);

/// One line per hit, or one object per query: append_hits. With a `sorter` the lines go there and
/// not to the batch's text.
std::unique_ptr<QueryTask> make_locate_task(const QueryRun& run, const QueryTargets& targets,
                                            LocateFormat format, LineSorter* sorter = nullptr);

}  // namespace gsx
