// What every command does that searches an index for queries of files.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "device/cost.hpp"
#include "index/store/index.hpp"
#include "inputs/open_index.hpp"
#include "queries/command_run.hpp"
#include "queries/query_options.hpp"

namespace gsx::app {

/// The steps of a run, in their order. Each command adds what it reads, searches and writes.
class SearchRun : protected CommandRun {
 protected:
  /// How an index is opened.
  struct Opening {
    IndexUse use = IndexUse::parts;
    QueryWork work = QueryWork::exact;  ///< without mismatches
    /// If not empty, the work that only the CPU does.
    std::string cpu_work = {};
    /// May refuse the index: that of a file before its shards are joined.
    std::function<void(const Index&)> check;
  };

  /// Chooses the index, which may be the first of the files and is then removed from them, and
  /// refuses what can be refused before anything is opened. `nothing` says what is missing where
  /// there are no queries.
  SearchRun(QueryOptions& options, Session& session, const char* nothing);
  ~SearchRun() = default;

  /// Opens the index, or builds that of the references in memory once it is clear that the outputs
  /// can be opened. A GPU that is named starts beside; `auto` is decided by the queries and the
  /// index. Throws UsageError if standard input would be references and queries; also what
  /// check_outputs() and try_outputs() throw.
  void open(const Opening& opening);
  /// Shares out the memory among so many threads, `table_bytes` beside the index.
  void plan(int threads, std::uint64_t table_bytes = 0);
  /// Opens the result, those of QueryOptions::side_outputs, that of queries without hits, and the
  /// summary. None is written unless the index is as it was.
  void open_outputs();
  /// What the run tells of itself. Pre: open() was called.
  RunSummary summary(const std::string& command, JsonMembers figures, JsonMembers options) const;
  /// Writes the summary, gives all outputs their names, and logs the times for so many queries.
  void finish(RunSummary run, std::uint64_t queries);

  bool in_memory() const { return options_.in_memory(); }
  const Index& index() const { return *index_; }
  /// Threads that read and write: no more than were asked for.
  int cores() const { return std::min(memory_.threads, session_.threads); }
  std::uint64_t input_bytes() const;
  std::uint64_t batch_bytes() const { return options_.batch_for(input_bytes(), session_.threads); }

  QueryOptions& options_;
  std::vector<std::string> files_;  ///< with queries
  QueryMemory memory_;
  std::vector<Output*> sides_;
  Output* unmatched_ = nullptr;  ///< null if it is not asked for

 private:
  std::optional<Index> index_;
  SummaryIndex searched_;
};

}  // namespace gsx::app
