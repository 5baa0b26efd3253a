// How the queries of a batch are searched: exactly, or with mismatches.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "output/lines/query_report.hpp"
#include "run/hit_depths.hpp"
#include "run/pipeline.hpp"
#include "run/query_tally.hpp"
#include "search/matches/matches.hpp"
#include "search/mismatches/mismatches.hpp"
#include "search/mismatches/unasked.hpp"

namespace gsx {

/// How queries are searched with mismatches.
struct MismatchQueries {
  const MismatchSearcher& searcher;
  MismatchRules rules;
  const Index& index;

  /// The symbols of the index, for reports. Those of shards are put together at the first call.
  MismatchText text() const { return {index.text(), rules.iupac}; }
};

/// What the tasks of a run share.
struct QueryRun {
  LocateRequest request;  ///< only locate uses its max_hits
  /// Report a place that a pattern matches on both strands once.
  bool palindromes_once = false;
  QueryTally* tally = nullptr;  ///< if not null, takes the figures and the queries without a hit
  const MismatchQueries* mismatches = nullptr;  ///< null: searches are exact, or for `matches`
  const MatchSearcher* matches = nullptr;       ///< of tasks that find maximal matches
  HitDepths* depths = nullptr;                  ///< if not null, counts what the hits cover
};

/// Searches the batches of one thread and tallies what it finds.
class QuerySearch {
 public:
  /// Reports at most `max_hits` hits per query.
  QuerySearch(const QueryRun& run, std::uint64_t max_hits);

  /// What the functions below ask the searcher, for QueryTask::request().
  std::optional<SearchRequest> request(bool locates) const {
    if (run_.mismatches != nullptr) return {};
    return SearchRequest{{run_.request.strands, max_hits_}, locates};
  }
  /// Sets counts[i] for each query.
  void count(const Searcher* searcher, QueryBatch& batch, std::vector<StrandCounts>& counts);
  /// Counts each query's hits by number of mismatches; all have none if the search is exact.
  void count_by_mismatches(const Searcher* searcher, QueryBatch& batch, MismatchCounts& counts);
  /// Gives take(chunk) all hits, chunk by chunk.
  void stream(const Searcher* searcher, QueryBatch& batch, const HitSink& take);
  /// Ends the batch, see QueryTask.
  std::function<void()> finish() { return tally_.finish(); }
  std::size_t bytes_to_finish() const { return tally_.bytes(); }

 private:
  void begin(QueryBatch& batch);
  void tally(QueryBatch& batch, const std::vector<StrandCounts>& counts);
  template <class Search>
  void for_each_run(const Search& search) const;

  QueryRun run_;
  std::uint64_t max_hits_;
  BatchTally tally_;
  SetPatternBuffer patterns_;  ///< of the batch, if mismatches are allowed
};

}  // namespace gsx
