// The results of a run of queries besides its main output: figures, warnings, queries without hits.
#pragma once

#include <string>

#include "base/stage_times.hpp"
#include "bytes/output.hpp"
#include "index/store/index.hpp"
#include "output/summary/run_summary.hpp"
#include "run/query_tally.hpp"

namespace gsx {

/// What messages call an index of that policy.
std::string_view shown_policy(SymbolPolicy policy);

/// What a command finds: the word for one and for many.
struct FoundWords {
  const char* one = "hit";
  const char* many = "hits";
  std::uint64_t part = 0;  ///< symbols of the least part of a query that may match; 0: all of it
};

/// "2 of 5 queries have no 31 symbols in a row that are A, C, G, T or U, so they match nothing".
/// `of` has the words for queries, and the number of symbols; `who` is what has the alphabet, as
/// "the index".
std::string no_part_matches(std::uint64_t count, std::uint64_t all, const FoundWords& of,
                            const Alphabet& alphabet, const std::string& who);

/// Logs, for debugging, how the threads of a pipeline spent their time, added up, for `queries`
/// queries.
void log_times(const StageTimes& times, std::uint64_t queries);

/// Collects the results of all batches.
class QueryResults {
 public:
  /// `alphabet` encodes the queries. Those without hits go to `unmatched`, unless it is null.
  QueryResults(const Index& index, const Alphabet& alphabet, Output* unmatched)
      : index_(index), tally_(alphabet, unmatched) {}

  QueryResults(const QueryResults&) = delete;
  QueryResults& operator=(const QueryResults&) = delete;

  QueryTally& tally() { return tally_; }
  const QueryFigures& figures() const { return tally_.figures(); }

  /// The figures for the summary. `whole_queries`: hits are of whole queries, on strands.
  JsonMembers figures_of_summary(bool whole_queries) const;
  /// Logs the figures and warns of queries that cannot match. Throws InputError if every query is
  /// wrong: too short, or with other symbols than unknown bases.
  void report(const FoundWords& found) const;
  /// Logs how many symbols of the records no search finds, if there are any.
  void report_left_out() const;

 private:
  void report_unasked() const;
  void report_odd_parts(std::uint64_t part) const;

  const Index& index_;
  QueryTally tally_;
};

}  // namespace gsx
