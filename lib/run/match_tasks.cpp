#include "run/match_tasks.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "output/lines/text_format.hpp"

namespace gsx {
namespace {

/// Symbols of matches that are located together, and the most matches that wait to be written.
constexpr std::uint64_t symbols_pending = std::uint64_t{1} << 18,
                        most_pending = symbols_pending / 16;

/// Tallies the queries of a batch by their matches.
class MatchTally {
 public:
  MatchTally(QueryTally* run, const MatchRules& rules)
      : tally_(run, unlimited, rules.request.min_length) {}

  void begin(const QueryBatch& batch) { tally_.begin(batch.queries); }
  /// Adds a query once all its matches are known.
  void add(const QueryBatch& batch, std::size_t query, std::uint64_t matches) {
    tally_.add_parts(batch.queries, batch.patterns, query, matches);
  }
  std::function<void()> finish() { return tally_.finish(); }

 private:
  BatchTally tally_;
};

/// Calls take(query, match) for each match that the rules allow and end(query, matches) after the
/// matches of each query.
template <class Take, class End>
void for_each_match(const MatchSearcher& searcher, QueryBatch& batch, const MatchRules& rules,
                    const Take& take, const End& end) {
  std::uint64_t matches = 0;  // of the query in progress
  searcher.stream(batch.patterns, rules.request, [&](const MatchChunk& chunk) {
    batch.clock.done(Stage::search);
    for (std::size_t i = 0; i < chunk.queries(); ++i) {
      const std::size_t query = chunk.first + i;
      for (const MaximalMatch& match : chunk.of(i)) {
        if (!rules.allow(match)) continue;
        take(query, match, matches == 0);
        ++matches;
      }
      if (i + 1 == chunk.queries() && !chunk.whole) continue;
      end(query, std::exchange(matches, 0));
      batch.at = query + 1;
    }
    batch.clock.done(Stage::format);
  });
}

class MatchTask final : public QueryTask {
 public:
  MatchTask(const QueryRun& run, const QueryTargets& targets, const MatchRules& rules)
      : searcher_(*run.matches),
        rules_(rules),
        report_(rules.format, rules.places, targets.records, targets.segments, rules.by_file),
        tally_(run.tally, rules) {}

  void run(const Searcher* searcher, QueryBatch& batch) override {
    tally_.begin(batch);
    for_each_match(
        searcher_, batch, rules_,
        [&](std::size_t query, const MaximalMatch& match, bool first) {
          const bool located = report_.has_places() && match.counts.total() <= rules_.max_occ;
          add(batch, {query, match, first, false, !located}, located);
          if (is_full()) write(searcher, batch);
        },
        [&](std::size_t query, std::uint64_t matches) {
          add(batch, {query, {}, matches == 0, true, true}, false);
          tally_.add(batch, query, matches);
          if (is_full()) write(searcher, batch);
        });
    write(searcher, batch);
  }
  std::function<void()> finish() override { return tally_.finish(); }

 private:
  /// Adds what is to be written, and a pattern for it, which is empty if it is not located.
  void add(const QueryBatch& batch, ReportedMatch match, bool located) {
    if (report_.has_places()) {
      if (!located) {
        places_.add({}, {0, 0, {}});
      } else {
        places_.add(batch.patterns[match.query], match.match);
      }
    }
    pending_.push_back(match);
  }
  bool is_full() const {
    return places_.symbols() >= symbols_pending || pending_.size() >= most_pending;
  }
  /// Writes what is pending.
  void write(const Searcher* searcher, QueryBatch& batch) {
    if (report_.has_places()) {
      searcher->stream(places_.patterns(), {rules_.request.strands, rules_.max_hits},
                       [&](const HitChunk& chunk) {
                         report_.append(batch.text, batch.queries, pending_, chunk);
                       });
    } else {
      report_.append(batch.text, batch.queries, pending_);
    }
    places_.clear();
    pending_.clear();
  }

  const MatchSearcher& searcher_;
  MatchRules rules_;
  MatchReport report_;
  MatchTally tally_;
  std::vector<ReportedMatch> pending_;
  MatchPatterns places_;  ///< of `pending_`
};

class CoverageTask final : public QueryTask {
 public:
  CoverageTask(const QueryRun& run, const MatchRules& rules)
      : searcher_(*run.matches), rules_(rules), tally_(run.tally, rules) {}

  void run(const Searcher*, QueryBatch& batch) override {
    tally_.begin(batch);
    std::uint64_t covered = 0, covered_to = 0;
    for_each_match(
        searcher_, batch, rules_,
        [&](std::size_t, const MaximalMatch& match, bool first) {
          if (first) covered = covered_to = 0;
          covered += match.end() - std::max(match.begin, covered_to);
          covered_to = match.end();
        },
        [&](std::size_t query, std::uint64_t matches) {
          name_.clear();
          append_name(name_, batch.queries.name(query));
          TabbedLine<CoverageColumns>::append(
              batch.text.text(),
              CoverageRow{
                  {name_}, batch.queries.length(query), matches, matches == 0 ? 0 : covered});
          batch.text.check();
          tally_.add(batch, query, matches);
        });
  }
  std::function<void()> finish() override { return tally_.finish(); }

 private:
  const MatchSearcher& searcher_;
  MatchRules rules_;
  MatchTally tally_;
  std::string name_;
};

}  // namespace

std::unique_ptr<QueryTask> make_match_task(const QueryRun& run, const QueryTargets& targets,
                                           const MatchRules& rules) {
  return std::make_unique<MatchTask>(run, targets, rules);
}

std::unique_ptr<QueryTask> make_coverage_task(const QueryRun& run, const MatchRules& rules) {
  return std::make_unique<CoverageTask>(run, rules);
}

}  // namespace gsx
