// What count and locate share: the options of queries, and running them.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backend/backend.hpp"
#include "options.hpp"
#include "query/line_sorter.hpp"
#include "query/pipeline.hpp"
#include "session.hpp"
#include "store/index.hpp"

namespace gsx::app {

/// Queries, and which index they go to.
struct QueryOptions {
  std::vector<std::string> files;
  std::vector<std::string> patterns;
  std::string index;
  std::string output;
  DeviceOptions device;
  std::string strand = "both";
  /// So many reads that a GPU's work on them, not the calls to its driver, takes the time.
  std::uint64_t batch = std::uint64_t{2} << 20;
  std::uint64_t memory_limit = unlimited;  ///< bytes
  bool no_header = false;
  bool sorted = false;  ///< all lines of the run by position
  const char* memory_cure =
      "--batch or --memory-limit";  ///< options that help when memory is short

  Strands strands() const;
};
void add_query_options(CLI::App& command, QueryOptions& options);

/// Logs, at -v, how long the threads of a pipeline took, all together, for so many queries.
void log_times(const StageTimes& times, std::uint64_t queries);

/// Makes what one thread of a query command does with the index; it gives its lines to the sorter,
/// if there is one.
using MakeQueryTask = std::function<std::unique_ptr<QueryTask>(const Index&, LineSorter*)>;

/// Runs a query command: opens index and output, writes `header` unless --no-header, then the text
/// of every batch in input order, or all lines sorted. Logs where the time went at -v.
void run_queries(const QueryOptions& options, Session& session, const std::string& header,
                 const MakeQueryTask& make_task);

}  // namespace gsx::app
