// gsx count: how often each query occurs.
#include "commands.hpp"
#include "query_run.hpp"
#include "report/query_report.hpp"
#include "report/record_counts.hpp"

namespace gsx::app {
namespace {

struct CountOptions {
  QueryOptions query;
  bool by_record = false;
};

void run_count(const CountOptions& options, Session& session) {
  const bool by_record = options.by_record;
  const QueryCommand command{"count", by_record ? record_counts_header : count_header,
                             by_record ? ",\"by_record\":true" : ",\"by_record\":false"};
  run_queries(options.query, session, command,
              [&](const QueryRun& run, const QueryTargets& targets, LineSorter*) {
                return by_record ? make_record_count_task(run, targets) : make_count_task(run);
              });
}

}  // namespace

void add_count_command(CLI::App& app, Session& session, Run& run) {
  auto options = std::make_shared<CountOptions>();
  CLI::App* command = app.add_subcommand("count", "Count how often each query occurs");
  command->footer(
      "Output: TSV, one line per query, in input order: query_id, length, count, "
      "count_fwd, count_rev. count is count_fwd + count_rev, also for a query that is "
      "its own reverse complement. A query has count 0 if it holds a symbol outside the "
      "alphabet (N, IUPAC codes), if it is empty, or if it is longer than the text.\n\n"
      "Examples:\n"
      "  gsx count reads.fq.gz\n"
      "  gsx count genome.gsx reads.fq.gz -o counts.tsv.gz\n"
      "  gsx count -x genome.gsx -p ACGTACGT -p TTAGGG\n"
      "  gsx count -x genome.gsx -f kmers.txt\n"
      "  zcat reads.fq.gz | gsx count -x genome.gsx - | awk '$3 > 1'");
  add_query_options(*command, options->query);
  command
      ->add_flag("--by-record", options->by_record,
                 "Write one line per query and record with hits: query_id, target_id, count, "
                 "count_fwd, count_rev")
      ->group("Output");
  add_session_options(*command, session);
  command->callback(
      [options, &run] { run = [options](Session& started) { run_count(*options, started); }; });
}

}  // namespace gsx::app
