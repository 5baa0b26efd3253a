// What a run of queries leaves beside its main output: figures, warnings, queries without a hit.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/output.hpp"
#include "query/query_figures.hpp"
#include "store/index.hpp"

namespace gsx::app {

/// What messages call an index of that policy.
std::string_view shown_policy(SymbolPolicy policy);

/// Gathers the results of all batches.
class QueryResults {
 public:
  /// Opens the files; "" stands for none. `options` are members of a JSON object.
  QueryResults(const Index& index, const std::string& unmatched, const std::string& summary);

  const Index& index() const { return index_; }
  bool wants_unmatched() const { return unmatched_.has_value(); }
  const QueryFigures& figures() const { return figures_; }

  /// Adds a batch's figures, and its queries without a hit as FASTA; in input order.
  void add(const QueryFigures& figures, const std::string& unmatched);
  /// Writes the summary and completes the files. `command` and `options`, members of a JSON object,
  /// say what was asked for.
  void commit(const std::string& command, const std::string& options);
  /// Logs the figures, and warns of queries that cannot match. Throws InputError when no query
  /// could, and not for want of knowing a base.
  void report() const;

 private:
  std::string summary(const std::string& command, const std::string& options) const;

  const Index& index_;
  std::optional<Output> unmatched_;
  std::optional<Output> summary_;
  QueryFigures figures_;
};

/// The part of one thread: its batch, until that is committed.
class BatchResults {
 public:
  BatchResults(QueryResults& results, std::uint64_t max_hits)
      : results_(results), max_hits_(max_hits) {}

  /// Forgets the batch before. `tag` is what was put behind the names of the queries.
  void begin(const RecordBatch& queries, const Patterns& patterns, std::size_t tag_length);
  /// Adds query `i`; each once, in order.
  void add(const RecordBatch& queries, std::size_t i, const StrandCounts& counts) {
    figures_.add_query(counts, max_hits_);
    if (counts.total() == 0 && results_.wants_unmatched()) add_unmatched(queries, i);
  }
  void commit() { results_.add(figures_, unmatched_); }

 private:
  void add_unmatched(const RecordBatch& queries, std::size_t i);

  QueryResults& results_;
  std::uint64_t max_hits_;
  std::size_t tag_length_ = 0;
  QueryFigures figures_;
  std::string unmatched_;
};

}  // namespace gsx::app
