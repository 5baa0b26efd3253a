// What the commands that search for queries share: their options, and running them.
#pragma once

#include <CLI/App.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backend/backend.hpp"
#include "locate_coverage.hpp"
#include "numbers.hpp"
#include "options.hpp"
#include "query/query_tasks.hpp"
#include "query_results.hpp"
#include "query_source.hpp"
#include "session.hpp"
#include "store/index.hpp"

namespace gsx::app {

/// The queries, the index to search, and where results go.
struct QueryOptions {
  QueryInputs inputs;
  std::string index;
  std::vector<std::string> references;  ///< if not empty: sequences to index in memory
  std::string cram_reference;
  std::string output;
  std::string unmatched;
  std::string summary;
  std::vector<std::string> side_outputs;  ///< further ones, which the command opens itself
  DeviceOptions device;
  std::string strand = "both";
  std::string palindromes = "twice";
  /// Bytes of a batch: so many reads that a GPU spends its time on them, not on calls of its
  /// driver.
  std::uint64_t batch = std::uint64_t{2} << 20;
  SizeLimit memory_limit;
  std::uint64_t mismatches = 0;
  bool iupac = false;
  std::vector<std::string> circular;  ///< names of circular records
  bool tag_files = false;
  bool no_header = false;
  bool qualities = false;  ///< whether tasks need the qualities of queries
  bool binary = false;     ///< whether the output is BGZF, whatever its name
  bool sorted = false;     ///< whether to sort all lines of the run by position
  bool by_file = false;    ///< whether results name the input files of the index
  bool with_rules = true;  ///< whether the command has -k, --iupac and --palindromes
  const char* memory_cure = "--batch or --memory-limit";  ///< options to name when memory is short

  Strands strands() const;
  /// The options that affect results, as members of a JSON object.
  std::string as_json() const;
  MismatchRules rules() const { return {static_cast<std::uint32_t>(mismatches), iupac}; }
  /// Whether queries are searched with mismatches or as sets of bases; otherwise exactly.
  bool with_mismatches() const { return mismatches != 0 || iupac; }
  /// Whether palindromes are reported on the forward strand only.
  bool palindromes_once() const { return palindromes == "once" && strand == "both"; }
};
/// What the pages of commands with -k and --iupac say of both.
inline constexpr const char* mismatch_notes =
    "With -k or --iupac, a place that includes a symbol of the target other than A, C, G and T "
    "(N, for instance) is never found, not even as a mismatch; the log tells how many such symbols "
    "there are. A query that is not longer than K cannot be searched, nor can one that holds a "
    "character other than a letter, or with --iupac one of N alone or with a letter that is no "
    "IUPAC code. Such a query has no hits, and a warning counts them; given by -p, it ends the run "
    "with exit code 2, and if all queries are such, the exit code is 3.";

/// Adds all of them; the functions after it add parts of them.
void add_query_options(CLI::App& command, QueryOptions& options);
void add_query_inputs(CLI::App& command, QueryOptions& options);
void add_strand_option(CLI::App& command, QueryOptions& options);
/// `found`: what queries of --unmatched lack, and what --summary counts.
void add_query_outputs(CLI::App& command, QueryOptions& options, const char* found = "hits");
/// `device` continues the description of --device.
void add_query_resources(CLI::App& command, QueryOptions& options, const char* device);

/// What a query command adds to a run.
struct QueryCommand {
  std::string name;
  std::string header;        ///< first line of the output, unless --no-header
  std::string options = {};  ///< further members for --summary, each after a comma
  /// If there is one, makes the header in place of `header`, or refuses the index.
  std::function<std::string(const Index&)> header_of = {};
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
