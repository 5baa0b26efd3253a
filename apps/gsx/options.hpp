// Options that several subcommands have, registered in one place.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backend/backend.hpp"
#include "query/pipeline.hpp"
#include "session.hpp"
#include "store/index.hpp"
#include "text/read_text.hpp"

namespace gsx::app {

/// -t, -q, -v, --progress.
void add_session_options(CLI::App& command, Session& session);

/// Which device, and how much of it.
struct DeviceOptions {
  std::string device = "auto";
  std::uint64_t gpu_memory = unlimited;  ///< bytes

  std::unique_ptr<Backend> make() const;
};
/// --device and --gpu-memory; gives the former for rules of the command's own.
CLI::Option* add_device_options(CLI::App& command, DeviceOptions& options);

/// Input files and how their symbols are read.
struct InputOptions {
  std::vector<std::string> files;
  std::string alphabet = "auto";
  std::string ambiguous = "split";
  std::string soft_mask = "fold";
  std::uint64_t batch = std::uint64_t{1} << 20;
  std::uint64_t memory_limit = unlimited;  ///< bytes
  bool wide = false;

  PositionWidth width() const { return wide ? PositionWidth::wide : PositionWidth::automatic; }
};
void add_input_options(CLI::App& command, InputOptions& options);
/// Reads the files, logs what they hold.
Text read_input(const InputOptions& options, Session& session);
/// How a text that has just been read is to be built: threads, width of positions, progress, and
/// the memory that --memory-limit, or else this machine, leaves.
BuildOptions build_options(const InputOptions& options, Session& session);

/// Throws UsageError when the output would replace one of the files that the run reads.
void refuse_overwriting(const std::string& output, const std::vector<std::string>& inputs);

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
  bool no_header = false;

  Strands strands() const;
};
void add_query_options(CLI::App& command, QueryOptions& options);

/// The index named by `path`, else by $GSX_INDEX, else the only *.gsx of the current folder, which
/// is logged. Throws UsageError when there is none or no single one.
std::string find_index(const std::string& path);

/// Logs, at -v, how long the threads of a pipeline took, all together, for so many queries.
void log_times(const StageTimes& times, std::uint64_t queries);

/// Makes what one thread of a query command does with the index.
using MakeQueryTask = std::function<std::unique_ptr<QueryTask>(const Index&)>;

/// Runs a query command: opens index and output, writes `header` unless --no-header, then the text
/// of every batch in input order. Logs where the time went at -v.
void run_queries(const QueryOptions& options, Session& session, const std::string& header,
                 const MakeQueryTask& make_task);

}  // namespace gsx::app
