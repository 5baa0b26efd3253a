// What count and locate share: the options of queries, and running them.
#pragma once

#include <CLI/App.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backend/backend.hpp"
#include "numbers.hpp"
#include "options.hpp"
#include "query/query_tasks.hpp"
#include "query_results.hpp"
#include "query_source.hpp"
#include "session.hpp"
#include "store/index.hpp"

namespace gsx::app {

/// Queries, which index they go to, and where results go.
struct QueryOptions {
  QueryInputs inputs;
  std::string index;
  std::vector<std::string> references;  ///< sequences to index in memory, instead
  std::string output;
  std::string unmatched;
  std::string summary;
  DeviceOptions device;
  std::string strand = "both";
  std::string palindromes = "twice";
  /// So many reads that a GPU's work on them, not the calls to its driver, takes the time.
  std::uint64_t batch = std::uint64_t{2} << 20;
  SizeLimit memory_limit;
  bool tag_files = false;
  bool no_header = false;
  bool sorted = false;  ///< all lines of the run by position
  const char* memory_cure =
      "--batch or --memory-limit";  ///< options that help when memory is short

  Strands strands() const;
  /// What of this decides about the results, as members of a JSON object.
  std::string as_json() const;
  /// Whether an own reverse complement is given on the forward strand only.
  bool palindromes_once() const { return palindromes == "once" && strand == "both"; }
};
void add_query_options(CLI::App& command, QueryOptions& options);

/// What a command makes of the queries.
struct QueryCommand {
  std::string name;
  std::string header;        ///< first line of the output, unless --no-header
  std::string options = {};  ///< more members, each after a comma, for --summary
};

/// Logs, at -v, how long the threads of a pipeline took, all together, for so many queries.
void log_times(const StageTimes& times, std::uint64_t queries);

/// Makes what one thread of a query command does; a sorter, if there is one, takes its lines.
using MakeQueryTask =
    std::function<std::unique_ptr<QueryTask>(const QueryRun&, const QueryTargets&, LineSorter*)>;

/// Runs a query command: opens index and output, writes the header, then the text of every batch
/// in input order, or all lines sorted, and reports. Gives the figures.
QueryFigures run_queries(const QueryOptions& options, Session& session, const QueryCommand& command,
                         const MakeQueryTask& make_task);

}  // namespace gsx::app
