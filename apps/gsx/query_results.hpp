// The results of a run of queries besides its main output: figures, warnings, queries without hits.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/output.hpp"
#include "query/query_tally.hpp"
#include "store/index.hpp"

namespace gsx::app {

/// What messages call an index of that policy.
std::string_view shown_policy(SymbolPolicy policy);

/// The word for one and for many of what a command finds.
struct FoundWords {
  const char* one = "hit";
  const char* many = "hits";
};

/// Collects the results of all batches.
class QueryResults {
 public:
  /// Opens the files; "" means no file.
  QueryResults(const Index& index, const std::string& unmatched, const std::string& summary);

  QueryResults(const QueryResults&) = delete;
  QueryResults& operator=(const QueryResults&) = delete;

  QueryTally& tally() { return tally_; }
  const QueryFigures& figures() const { return tally_.figures(); }

  /// Finishes the file of queries without hits; see Output::finish().
  void finish();
  /// Writes the summary and completes the files. `command` and `options` (members of a JSON object)
  /// say what was asked for.
  void commit(const std::string& command, const std::string& options);
  /// Logs the figures and warns of queries that cannot match. Throws InputError if every query
  /// holds a wrong symbol, and not only unknown bases.
  void report(const FoundWords& found) const;
  /// Logs how many symbols of the records no search finds, if there are any.
  void report_left_out() const;

 private:
  void report_unasked() const;
  std::string summary(const std::string& command, const std::string& options) const;

  const Index& index_;
  std::optional<Output> unmatched_;
  std::optional<Output> summary_;
  QueryTally tally_;
};

}  // namespace gsx::app
