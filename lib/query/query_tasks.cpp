#include "query/query_tasks.hpp"

#include <optional>

#include "query/palindromes.hpp"
#include "report/record_counts.hpp"
#include "report/sorted_hits.hpp"

namespace gsx {
namespace {

/// Calls take(chunk) for all hits of a batch, chunk by chunk.
template <class Take>
void stream_hits(const Searcher& searcher, const Patterns& patterns, const LocateRequest& request,
                 bool palindromes_once, const Take& take) {
  const HitSink sink = take;
  if (!palindromes_once) return searcher.stream_hits(patterns, request, sink);
  PalindromeFilter filter(patterns, sink);
  searcher.stream_hits(patterns, request, [&](const HitChunk& chunk) { filter.pass_on(chunk); });
}

class CountTask final : public QueryTask {
 public:
  explicit CountTask(const QueryRun& run) : run_(run), tally_(run.tally, unlimited) {}

  void run(const Searcher& searcher, QueryBatch& batch) override {
    tally_.begin(batch.queries, batch.patterns);
    searcher.count(batch.patterns, run_.request.strands, counts_);
    batch.clock.done(Stage::search);
    if (run_.palindromes_once) count_palindromes_once(batch.patterns, counts_);
    for (std::size_t i = 0; i < batch.queries.size(); ++i)
      tally_.add(batch.queries, i, counts_[i]);
    append_counts(batch.text, batch.queries, counts_);
  }
  std::function<void()> finish() override { return tally_.finish(); }

 private:
  QueryRun run_;
  BatchTally tally_;
  std::vector<StrandCounts> counts_;
};

class RecordCountTask final : public QueryTask {
 public:
  RecordCountTask(const QueryRun& run, const QueryTargets& targets)
      : run_(run), targets_(targets), tally_(run.tally, unlimited) {}

  void run(const Searcher& searcher, QueryBatch& batch) override {
    tally_.begin(batch.queries, batch.patterns);
    RecordCounts counts(batch.text, batch.queries, targets_.records, targets_.segments);
    stream_hits(searcher, batch.patterns, {run_.request.strands, unlimited}, run_.palindromes_once,
                [&](const HitChunk& chunk) {
                  batch.clock.done(Stage::search);
                  tally_.add(batch.queries, chunk);
                  counts.add(chunk);
                  batch.at = chunk.first + chunk.patterns();
                  batch.clock.done(Stage::format);
                });
    counts.finish();
  }
  std::function<void()> finish() override { return tally_.finish(); }

 private:
  QueryRun run_;
  QueryTargets targets_;
  BatchTally tally_;
};

class LocateTask final : public QueryTask {
 public:
  LocateTask(const QueryRun& run, const QueryTargets& targets, LocateFormat format,
             LineSorter* sorter)
      : run_(run), targets_(targets), format_(format), tally_(run.tally, run.request.max_hits) {
    if (sorter != nullptr) sorted_.emplace(sorter->collector());
  }

  void run(const Searcher& searcher, QueryBatch& batch) override {
    tally_.begin(batch.queries, batch.patterns);
    stream_hits(searcher, batch.patterns, run_.request, run_.palindromes_once,
                [&](const HitChunk& chunk) {
                  batch.clock.done(Stage::search);
                  tally_.add(batch.queries, chunk);
                  report(batch, chunk);
                  batch.at = chunk.first + chunk.patterns();
                  batch.clock.done(Stage::format);
                });
  }
  std::function<void()> finish() override { return tally_.finish(); }

 private:
  void report(QueryBatch& batch, const HitChunk& chunk) {
    if (sorted_) sorted_->begin(batch.queries.number, chunk);
    append_hits(sorted_ ? sorted_->lines() : batch.text, batch.queries, chunk, targets_.records,
                targets_.segments, format_);
    if (sorted_) sorted_->lines().flush();
  }

  QueryRun run_;
  QueryTargets targets_;
  LocateFormat format_;
  BatchTally tally_;
  std::optional<SortedHits> sorted_;
};

}  // namespace

std::unique_ptr<QueryTask> make_count_task(const QueryRun& run) {
  return std::make_unique<CountTask>(run);
}

std::unique_ptr<QueryTask> make_record_count_task(const QueryRun& run,
                                                  const QueryTargets& targets) {
  return std::make_unique<RecordCountTask>(run, targets);
}

std::unique_ptr<QueryTask> make_locate_task(const QueryRun& run, const QueryTargets& targets,
                                            LocateFormat format, LineSorter* sorter) {
  return std::make_unique<LocateTask>(run, targets, format, sorter);
}

}  // namespace gsx
