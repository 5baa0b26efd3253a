#include "run/query_search.hpp"

#include <algorithm>

#include "run/palindromes.hpp"
#include "run/places_once.hpp"

namespace gsx {

QuerySearch::QuerySearch(const QueryRun& run, std::uint64_t max_hits)
    : run_(run), max_hits_(max_hits), tally_(run.tally, max_hits) {}

void QuerySearch::begin(QueryBatch& batch) {
  if (run_.mismatches == nullptr) return tally_.begin(batch.queries, batch.patterns);
  const MismatchRules& rules = run_.mismatches->rules;
  tally_.begin(batch.queries, rules);
  const RecordBatch& queries = batch.queries;
  if (all_asked(queries.symbols, queries.symbol_ends, rules))
    return patterns_.encode(queries.symbols, queries.symbol_ends, rules.iupac);
  patterns_.clear();
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const std::string_view query = queries.sequence(i);
    const bool asked = !why_unasked(query, rules);
    patterns_.add(asked ? query : std::string_view(), rules.iupac);
  }
}

void QuerySearch::tally(QueryBatch& batch, const std::vector<StrandCounts>& counts) {
  for (std::size_t i = 0; i < batch.queries.size(); ++i)
    tally_.add(batch.queries, i, counts[i]);
}

/// Calls search(first, last, request, once) for consecutive patterns that are searched in the same
/// way. If a place counts once, that is only forward for those that are their own reverse
/// complement, and `once` for those that may match a place on both strands.
template <class Search>
void QuerySearch::for_each_run(const Search& search) const {
  const SetPatterns patterns = patterns_.patterns();
  const MismatchRequest request{run_.request.strands, run_.mismatches->rules.mismatches, max_hits_};
  const auto meeting = [&](std::size_t i) {
    return run_.palindromes_once ? strand_meeting(patterns[i], request.mismatches)
                                 : StrandMeeting::never;
  };
  for (std::size_t first = 0; first < patterns.size();) {
    const StrandMeeting here = meeting(first);
    std::size_t last = first + 1;
    while (last < patterns.size() && (!run_.palindromes_once || meeting(last) == here))
      ++last;
    MismatchRequest asked = request;
    if (here == StrandMeeting::always) asked.strands = Strands::forward;
    search(first, last, asked, here == StrandMeeting::sometimes);
    first = last;
  }
}

void QuerySearch::count(const Searcher* searcher, QueryBatch& batch,
                        std::vector<StrandCounts>& counts) {
  if (run_.mismatches != nullptr) {
    MismatchCounts all;
    count_by_mismatches(searcher, batch, all);
    counts.resize(batch.queries.size());
    for (std::size_t i = 0; i < counts.size(); ++i)
      counts[i] = all.total(i);
    return;
  }
  begin(batch);
  searcher->count(batch.patterns, run_.request.strands, counts);
  batch.clock.done(Stage::search);
  if (run_.palindromes_once) count_palindromes_once(batch.patterns, counts);
  tally(batch, counts);
}

void QuerySearch::count_by_mismatches(const Searcher* searcher, QueryBatch& batch,
                                      MismatchCounts& counts) {
  if (run_.mismatches == nullptr) {
    std::vector<StrandCounts> exact;
    count(searcher, batch, exact);
    counts.reset(exact.size(), 0);
    for (std::size_t i = 0; i < exact.size(); ++i) {
      counts.of(i, false)[0] = exact[i].forward;
      counts.of(i, true)[0] = exact[i].reverse;
    }
    return;
  }
  begin(batch);
  counts.reset(batch.queries.size(), run_.mismatches->rules.mismatches);
  MismatchCounts some;
  for_each_run([&](std::size_t first, std::size_t last, const MismatchRequest& request, bool once) {
    const SetPatterns patterns = patterns_.patterns().some(first, last);
    if (once) {
      count_places_once(run_.mismatches->searcher, patterns, request, some);
    } else {
      run_.mismatches->searcher.count(patterns, request, some);
    }
    counts.put(first, some);
  });
  batch.clock.done(Stage::search);
  std::vector<StrandCounts> totals(batch.queries.size());
  for (std::size_t i = 0; i < totals.size(); ++i)
    totals[i] = counts.total(i);
  tally(batch, totals);
}

void QuerySearch::stream(const Searcher* searcher, QueryBatch& batch, const HitSink& take) {
  begin(batch);
  const auto take_and_tally = [&](const HitChunk& chunk) {
    batch.clock.done(Stage::search);
    tally_.add(batch.queries, chunk);
    if (run_.depths != nullptr) run_.depths->add(batch.queries, chunk);
    take(chunk);
    batch.at = chunk.first + chunk.patterns();
    batch.clock.done(Stage::format);
  };
  if (run_.mismatches != nullptr) {
    for_each_run(
        [&](std::size_t begin, std::size_t end, const MismatchRequest& request, bool once) {
          const SetPatterns patterns = patterns_.patterns().some(begin, end);
          const HitSink sink = [&, begin](const HitChunk& chunk) {
            HitChunk placed = chunk;
            placed.first += begin;
            take_and_tally(placed);
          };
          if (once) return stream_places_once(run_.mismatches->searcher, patterns, request, sink);
          run_.mismatches->searcher.stream(patterns, request, sink);
        });
    return;
  }
  const LocateRequest request{run_.request.strands, max_hits_};
  const HitSink sink = take_and_tally;
  if (!run_.palindromes_once) return searcher->stream(batch.patterns, request, sink);
  PalindromeFilter filter(batch.patterns, sink);
  searcher->stream(batch.patterns, request, [&](const HitChunk& chunk) { filter.pass_on(chunk); });
}

}  // namespace gsx
