#include "run/query_search.hpp"

#include "run/palindromes.hpp"
#include "run/places_once.hpp"

namespace gsx {
namespace {

/// Calls use(first, last, kind) for each range of consecutive patterns of one kind.
template <class KindOf, class Use>
void for_each_alike(std::size_t patterns, const KindOf& kind_of, const Use& use) {
  for (std::size_t first = 0; first < patterns;) {
    const auto kind = kind_of(first);
    std::size_t last = first + 1;
    while (last < patterns && kind_of(last) == kind)
      ++last;
    use(first, last, kind);
    first = last;
  }
}

}  // namespace

QuerySearch::QuerySearch(const QueryRun& run, std::uint64_t max_hits)
    : run_(run), max_hits_(max_hits), tally_(run.tally, max_hits) {}

void QuerySearch::begin(QueryBatch& batch) {
  if (run_.mismatches == nullptr) return tally_.begin(batch.queries, batch.patterns);
  const MismatchRules& rules = run_.mismatches->rules;
  const RecordBatch& queries = batch.queries;
  const bool all = all_asked(queries.symbols, queries.symbol_ends, rules);
  tally_.begin(queries, rules, all);
  if (all) return patterns_.encode(queries.symbols, queries.symbol_ends, rules.iupac);
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
  for_each_alike(
      patterns.size(),
      [&](std::size_t i) {
        return run_.palindromes_once ? strand_meeting(patterns[i], request.mismatches)
                                     : StrandMeeting::never;
      },
      [&](std::size_t first, std::size_t last, StrandMeeting meeting) {
        MismatchRequest asked = request;
        if (meeting == StrandMeeting::always) asked.strands = Strands::forward;
        search(first, last, asked, meeting == StrandMeeting::sometimes);
      });
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
  const auto from = [&](std::size_t first) -> HitSink {
    return [&, first](const HitChunk& chunk) {
      HitChunk placed = chunk;
      placed.first += first;
      take_and_tally(placed);
    };
  };
  if (run_.mismatches != nullptr) {
    for_each_run(
        [&](std::size_t begin, std::size_t end, const MismatchRequest& request, bool once) {
          const SetPatterns patterns = patterns_.patterns().some(begin, end);
          if (once)
            return stream_places_once(run_.mismatches->searcher, patterns, request, from(begin));
          run_.mismatches->searcher.stream(patterns, request, from(begin));
        });
    return;
  }
  const LocateRequest request{run_.request.strands, max_hits_};
  if (!run_.palindromes_once) return searcher->stream(batch.patterns, request, take_and_tally);
  // Both strands of a palindrome match at the same places, so one is searched: what --max-hits
  // keeps is then chosen among places.
  for_each_alike(
      batch.patterns.size(),
      [&](std::size_t i) { return is_own_reverse_complement(batch.patterns[i]); },
      [&](std::size_t begin, std::size_t end, bool palindromes) {
        searcher->stream(batch.patterns.some(begin, end),
                         {palindromes ? Strands::forward : request.strands, max_hits_},
                         from(begin));
      });
}

}  // namespace gsx
