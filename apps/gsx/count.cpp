// gsx count: how often each query occurs.
#include "commands.hpp"
#include "query_run.hpp"
#include "report/query_report.hpp"

namespace gsx::app {
namespace {

class CountTask final : public QueryTask {
 public:
  explicit CountTask(Strands strands) : strands_(strands) {}
  void run(const Searcher& searcher, QueryBatch& batch) override {
    searcher.count(batch.patterns, strands_, counts_);
    batch.clock.done(Stage::search);
    append_counts(batch.text, batch.queries, counts_);
  }

 private:
  Strands strands_;
  std::vector<StrandCounts> counts_;
};

void run_count(const QueryOptions& options, Session& session) {
  run_queries(options, session, count_header, [&](const Index&, LineSorter*) {
    return std::make_unique<CountTask>(options.strands());
  });
}

}  // namespace

void add_count_command(CLI::App& app, Session& session, Run& run) {
  auto options = std::make_shared<QueryOptions>();
  CLI::App* command = app.add_subcommand("count", "Count exact occurrences of queries");
  command->footer(
      "Output: TSV, one line a query, in input order: query_id, length, count, count_fwd, "
      "count_rev. count = count_fwd + count_rev, also for a pattern that is its own reverse "
      "complement. A query with a symbol outside the alphabet (N), an empty one, and one longer "
      "than "
      "the text have count 0.\n\n"
      "Examples:\n"
      "  gsx count reads.fq.gz\n"
      "  gsx count -x genome.gsx -p ACGTACGT -p TTAGGG\n"
      "  zcat reads.fq.gz | gsx count -x genome.gsx - | awk '$3 > 1'");
  add_query_options(*command, *options);
  add_session_options(*command, session);
  command->callback(
      [options, &run] { run = [options](Session& started) { run_count(*options, started); }; });
}

}  // namespace gsx::app
