// What the commands that search for queries share: running them.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "device/cost.hpp"
#include "index/store/index.hpp"
#include "output/parts/part_format.hpp"
#include "process/session.hpp"
#include "queries/coverage_output.hpp"
#include "queries/query_options.hpp"
#include "run/query_results.hpp"
#include "run/query_tasks.hpp"

namespace gsx::app {

/// What a query command adds to a run.
struct QueryCommand {
  std::string name;
  std::string header;        ///< first line of the output, unless --no-header
  JsonMembers options = {};  ///< further ones for --summary
  /// If there is one, makes the header in place of `header`, or refuses the index.
  std::function<std::string(const Index&)> header_of = {};
  /// If there is one, gives lines to sort among those of the hits, which belong to the header.
  std::function<void(const Index&, LineSorter::Collector&)> sort_header = {};
  /// Whether its tasks need no more of queries than their names, their lengths and an exact search.
  /// The reader may then pack their bases and drop their symbols.
  bool needs_bases_only = false;
  /// Whether its tasks or its header read the symbols of the index.
  bool reads_text = false;
  /// What a search without mismatches finds.
  QueryWork work = QueryWork::exact;
  bool finds_matches() const { return work != QueryWork::exact; }
  /// If not empty, the work that only the CPU does; a GPU that is demanded is refused.
  std::string cpu_work = {};
  /// If there is one, takes the outputs that QueryOptions::side_outputs names, null for "".
  std::function<void(const std::vector<Output*>&)> take_sides = {};
  FoundWords found = {};
  /// If there is one, the output is a partial result, which has what its tasks write in a frame.
  std::optional<PartContent> part = {};
  CoverageOutput* coverage = nullptr;  ///< if not null, counts and writes what hits cover
};

/// Makes the task of one thread. If there is a sorter, it takes the lines.
using MakeQueryTask =
    std::function<std::unique_ptr<QueryTask>(const QueryRun&, const QueryTargets&, LineSorter*)>;

/// Runs a query command: opens index and output, and writes the header, then the text of every
/// batch in input order, or all lines sorted. Reports and returns the figures. An index among the
/// files of queries is removed from them.
QueryFigures run_queries(QueryOptions& options, Session& session, const QueryCommand& command,
                         const MakeQueryTask& make_task);

}  // namespace gsx::app
