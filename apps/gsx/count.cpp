// gsx count: how often each query occurs.
#include "commands.hpp"
#include "query/palindromes.hpp"
#include "query_run.hpp"
#include "report/query_report.hpp"
#include "report/record_counts.hpp"

namespace gsx::app {
namespace {

struct CountOptions {
  QueryOptions query;
  bool by_record = false;
};

class CountTask final : public QueryTask {
 public:
  explicit CountTask(const QueryRun& run)
      : strands_(run.options.strands()),
        once_(run.options.palindromes_once()),
        source_(run.source),
        results_(run.results, unlimited) {}

  void run(const Searcher& searcher, QueryBatch& batch) override {
    results_.begin(batch.queries, batch.patterns, source_.tag_of(batch.queries).size());
    searcher.count(batch.patterns, strands_, counts_);
    batch.clock.done(Stage::search);
    if (once_) count_palindromes_once(batch.patterns, counts_);
    for (std::size_t i = 0; i < batch.queries.size(); ++i)
      results_.add(batch.queries, i, counts_[i]);
    append_counts(batch.text, batch.queries, counts_);
  }
  void commit() override { results_.commit(); }

 private:
  Strands strands_;
  bool once_;
  const QuerySource& source_;
  BatchResults results_;
  std::vector<StrandCounts> counts_;
};

class RecordCountTask final : public QueryTask {
 public:
  explicit RecordCountTask(const QueryRun& run)
      : strands_(run.options.strands()),
        once_(run.options.palindromes_once()),
        index_(run.results.index()),
        source_(run.source),
        results_(run.results, unlimited) {}

  void run(const Searcher& searcher, QueryBatch& batch) override {
    results_.begin(batch.queries, batch.patterns, source_.tag_of(batch.queries).size());
    RecordCounts counts(batch.text, batch.queries, index_.records(), index_.fm().segments);
    const HitSink sink = [&](const HitChunk& chunk) {
      batch.clock.done(Stage::search);
      // Each query once: not in the chunks that go on with it.
      for (std::size_t i = chunk.before > 0 ? 1 : 0; i < chunk.patterns(); ++i)
        results_.add(batch.queries, chunk.first + i, chunk.counts[i]);
      counts.add(chunk);
      batch.at = chunk.first + chunk.patterns();
      batch.clock.done(Stage::format);
    };
    if (once_) {
      PalindromeFilter filter(batch.patterns, sink);
      searcher.stream_hits(batch.patterns, {strands_, unlimited},
                           [&](const HitChunk& chunk) { filter.pass_on(chunk); });
    } else {
      searcher.stream_hits(batch.patterns, {strands_, unlimited}, sink);
    }
    counts.finish();
  }
  void commit() override { results_.commit(); }

 private:
  Strands strands_;
  bool once_;
  const Index& index_;
  const QuerySource& source_;
  BatchResults results_;
};

void run_count(const CountOptions& options, Session& session) {
  const bool by_record = options.by_record;
  const QueryCommand command{"count", by_record ? record_counts_header : count_header,
                             by_record ? ",\"by_record\":true" : ",\"by_record\":false"};
  run_queries(options.query, session, command,
              [&](const QueryRun& run) -> std::unique_ptr<QueryTask> {
                if (by_record) return std::make_unique<RecordCountTask>(run);
                return std::make_unique<CountTask>(run);
              });
}

}  // namespace

void add_count_command(CLI::App& app, Session& session, Run& run) {
  auto options = std::make_shared<CountOptions>();
  CLI::App* command = app.add_subcommand("count", "Count exact occurrences of queries");
  command->footer(
      "Output: TSV, one line per query, in input order: query_id, length, count, count_fwd, "
      "count_rev. count = count_fwd + count_rev, also for a pattern that is its own reverse "
      "complement. A query with a symbol outside the alphabet (N, IUPAC codes), an empty one, and "
      "one longer than the text have count 0.\n\n"
      "Examples:\n"
      "  gsx count reads.fq.gz\n"
      "  gsx count genome.gsx reads.fq.gz -o counts.tsv.gz\n"
      "  gsx count -x genome.gsx -p ACGTACGT -p TTAGGG\n"
      "  gsx count -x genome.gsx -f kmers.txt\n"
      "  zcat reads.fq.gz | gsx count -x genome.gsx - | awk '$3 > 1'");
  add_query_options(*command, options->query);
  command
      ->add_flag("--by-record", options->by_record,
                 "One line per query and record that holds it: query_id, target_id, count, "
                 "count_fwd, count_rev")
      ->group("Output");
  add_session_options(*command, session);
  command->callback(
      [options, &run] { run = [options](Session& started) { run_count(*options, started); }; });
}

}  // namespace gsx::app
