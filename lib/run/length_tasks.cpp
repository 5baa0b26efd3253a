#include "run/length_tasks.hpp"

#include <cstddef>
#include <utility>

#include "output/lines/text_format.hpp"

namespace gsx {
namespace {

/// Symbols of matches that are located together, and the most matches.
constexpr std::uint64_t symbols_located = std::uint64_t{1} << 18,
                        most_located = symbols_located / 8;
/// Bytes of places that a thread holds before it waits for its turn and writes them.
constexpr std::size_t place_bytes = std::size_t{1} << 20;

class LengthTask final : public QueryTask {
 public:
  LengthTask(const QueryRun& run, const QueryTargets& targets, const LengthRules& rules,
             LengthSides& sides)
      : searcher_(*run.matches),
        request_{rules.strands, 1},
        sides_(sides),
        lengths_(rules.format),
        places_(rules.format, targets.records, targets.segments),
        runs_(rules.ending),
        tally_(run.tally, unlimited, request_.min_length),
        place_text_(place_bytes, [this](std::string& text) { write_in_turn(text); }) {}
  LengthTask(const LengthTask&) = delete;  // place_text_ refers to this object
  LengthTask& operator=(const LengthTask&) = delete;

  void run(const Searcher* searcher, QueryBatch& batch) override {
    tally_.begin(batch.queries);
    batch_ = &batch;
    queries_.clear();
    searcher_.stream(batch.patterns, request_, [&](const MatchChunk& chunk) {
      batch.clock.done(Stage::search);
      for (std::size_t i = 0; i < chunk.queries(); ++i) {
        const std::size_t query = chunk.first + i;
        for (const MaximalMatch& match : chunk.of(i)) {
          if (sides_.wants_places()) {
            locate_later(searcher, query, match);
          } else {
            take(query, {match, {}});
          }
        }
        if (i + 1 == chunk.queries() && !chunk.whole) continue;
        if (sides_.wants_places()) {
          locate_later(searcher, query, {});
        } else {
          end(query);
        }
      }
      batch.clock.done(Stage::format);
    });
    locate(searcher);
  }

  std::function<void()> finish() override {
    std::function<void()> tally = tally_.finish();
    return [&sides = sides_, tally = std::move(tally), queries = std::exchange(queries_, {}),
            places = std::exchange(place_text_.text(), {})] {
      if (sides.wants_offsets()) sides.add_offsets(queries);
      if (sides.wants_places()) sides.add_places(places);
      if (tally) tally();
    };
  }

 private:
  /// A match whose place is sought, or the end of a query, which has length 0.
  struct Pending {
    std::size_t query;
    MaximalMatch match;
  };

  void locate_later(const Searcher* searcher, std::size_t query, const MaximalMatch& match) {
    pending_.push_back({query, match});
    sought_.add(batch_->patterns[query], match);
    if (sought_.symbols() >= symbols_located || sought_.size() >= most_located) locate(searcher);
  }
  /// Finds the first place of each pending match, and takes it.
  void locate(const Searcher* searcher) {
    if (pending_.empty()) return;
    searcher->stream(sought_.patterns(), {request_.strands, 1}, [&](const HitChunk& chunk) {
      std::size_t hit = 0;
      for (std::size_t i = 0; i < chunk.patterns(); ++i) {
        const Pending& found = pending_[chunk.first + i];
        if (found.match.length == 0) {
          end(found.query);
        } else {
          for (; hit < chunk.ends[i]; ++hit)
            take(found.query, {found.match, chunk.hits[hit]});
        }
      }
    });
    pending_.clear();
    sought_.clear();
  }

  /// Takes the next match of a query.
  void take(std::size_t query, const PlacedMatch& match) {
    begin(query);
    runs_.add(match, [&](const LengthRun& run) { append(query, run); });
  }
  /// Ends a query: all its matches are there.
  void end(std::size_t query) {
    begin(query);
    const std::uint64_t length = batch_->queries.length(query);
    runs_.finish(length, [&](const LengthRun& run) { append(query, run); });
    lengths_.end(batch_->text);
    if (sides_.wants_places()) places_.end(place_text_);
    tally_.add_parts(batch_->queries, batch_->patterns, query, std::exchange(matched_, 0));
    begun_ = false;
    batch_->at = query + 1;
  }
  void begin(std::size_t query) {
    if (begun_) return;
    begun_ = true;
    const std::string_view name = batch_->queries.name(query);
    lengths_.begin(batch_->text, name);
    if (sides_.wants_places()) places_.begin(place_text_, name);
    if (!sides_.wants_offsets()) return;
    queries_.push_back({{}, batch_->queries.length(query)});
    append_name(queries_.back().name, name);
  }
  void append(std::size_t query, const LengthRun& run) {
    lengths_.append(batch_->text, run, batch_->queries.name(query));
    if (sides_.wants_places()) places_.append(place_text_, run);
    if (run.is_matched()) matched_ += run.end - run.begin;
  }
  /// Writing the lengths that come with the places waits for the turn of this batch, unless that
  /// has been done: then the turn has come.
  void write_in_turn(std::string& text) {
    batch_->text.flush();
    sides_.add_places(text);
    text.clear();
  }

  const MatchSearcher& searcher_;
  MatchRequest request_;
  LengthSides& sides_;
  LengthReport lengths_;
  PlaceReport places_;
  LengthRuns runs_;
  BatchTally tally_;
  TextPieces place_text_;
  QueryBatch* batch_ = nullptr;
  std::vector<LengthSides::Query> queries_;  ///< of the batch, if offsets are wanted
  bool begun_ = false;                       ///< whether a query is in progress
  std::uint64_t matched_ = 0;                ///< its positions with a match
  std::vector<Pending> pending_;
  MatchPatterns sought_;  ///< the matches in pending_; an end is empty
};

}  // namespace

void LengthSides::add_offsets(const std::vector<Query>& queries) {
  std::string lines;
  for (const Query& query : queries) {
    lines += query.name;
    for (const std::uint64_t value : {before_, query.length})
      append_number(lines += '\t', value);
    lines += '\n';
    before_ += query.length;
  }
  offsets_->write(lines);
}

std::unique_ptr<QueryTask> make_length_task(const QueryRun& run, const QueryTargets& targets,
                                            const LengthRules& rules, LengthSides& sides) {
  return std::make_unique<LengthTask>(run, targets, rules, sides);
}

}  // namespace gsx
