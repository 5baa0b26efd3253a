// What a thread does with a batch of queries whose maximal matches are sought.
#pragma once

#include <cstdint>
#include <memory>

#include "output/lines/match_report.hpp"
#include "run/pipeline.hpp"
#include "run/query_search.hpp"
#include "run/query_tasks.hpp"
#include "search/matches/matches.hpp"

namespace gsx {

/// Which matches to report, and how.
struct MatchRules {
  MatchRequest request;
  std::uint64_t min_occ = 1;           ///< least occurrences on the strands that are searched
  std::uint64_t max_occ = unlimited;   ///< most; in the format fastmap, of matches with places
  std::uint64_t max_hits = unlimited;  ///< most places to report per match
  ResultFormat format = ResultFormat::tsv;
  bool places = false;   ///< whether to report places where the format may go without
  bool by_file = false;  ///< whether to name the input files of places

  /// Whether a match is reported.
  bool allow(const MaximalMatch& match) const {
    const std::uint64_t total = match.counts.total();
    return total >= min_occ && (total <= max_occ || format == ResultFormat::fastmap);
  }
};

/// Writes the matches of each query; see MatchReport. `run` says what to tally: queries with
/// matches, and the number of matches. Pre: the run has a searcher of them.
std::unique_ptr<QueryTask> make_match_task(const QueryRun& run, const QueryTargets& targets,
                                           const MatchRules& rules);

/// The header of the lines of make_coverage_task().
inline constexpr const char* coverage_header = header_of<CoverageColumns>;

/// Writes one TSV line per query: its matches, and how many of its symbols lie in at least one.
std::unique_ptr<QueryTask> make_coverage_task(const QueryRun& run, const MatchRules& rules);

}  // namespace gsx
