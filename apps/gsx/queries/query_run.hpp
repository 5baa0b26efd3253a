// What the commands that search for queries share: running them.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "commands/locate_coverage.hpp"
#include "device/backend.hpp"
#include "index/store/index.hpp"
#include "process/session.hpp"
#include "queries/query_options.hpp"
#include "queries/query_results.hpp"
#include "run/query_tasks.hpp"

namespace gsx::app {

/// What a query command adds to a run.
struct QueryCommand {
  std::string name;
  std::string header;        ///< first line of the output, unless --no-header
  JsonMembers options = {};  ///< further ones for --summary
  /// If there is one, makes the header in place of `header`, or refuses the index.
  std::function<std::string(const Index&)> header_of = {};
  /// Whether its tasks need no more of queries than their names, their lengths and an exact search.
  /// The reader may then pack their bases and drop their symbols.
  bool needs_bases_only = false;
  /// If not empty, the work that only the CPU does; a GPU that is demanded is refused.
  std::string cpu_work = {};
  /// If there is one, opens a searcher of the command's own, on so many threads.
  std::function<void(Backend&, const Index&, int threads, const SearchMemory&)> open = {};
  /// If there are, finish and then commit outputs of the command's own, once all results are
  /// written.
  std::function<void()> finish = {}, commit = {};
  FoundWords found = {};
  CoverageOutput* coverage = nullptr;  ///< if not null, counts and writes what hits cover
};

/// Bytes of memory that an open index holds: the segment table, and the whole index unless it is
/// mapped.
std::uint64_t memory_of_index(const Index& index);

/// With -v, logs how the threads of a pipeline spent their time, added up, for `queries` queries.
void log_times(const StageTimes& times, std::uint64_t queries);

/// Makes the task of one thread. If there is a sorter, it takes the lines.
using MakeQueryTask =
    std::function<std::unique_ptr<QueryTask>(const QueryRun&, const QueryTargets&, LineSorter*)>;

/// Runs a query command: opens index and output, and writes the header, then the text of every
/// batch in input order, or all lines sorted. Reports and returns the figures.
QueryFigures run_queries(const QueryOptions& options, Session& session, const QueryCommand& command,
                         const MakeQueryTask& make_task);

}  // namespace gsx::app
