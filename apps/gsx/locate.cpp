// gsx locate: where each query occurs.
#include <algorithm>
#include <atomic>

#include "base/log.hpp"
#include "commands.hpp"
#include "numbers.hpp"
#include "query_run.hpp"
#include "report/query_report.hpp"

namespace gsx::app {
namespace {

struct LocateOptions {
  QueryOptions query;
  std::uint64_t max_hits = 0;
  bool bed = false;
  bool paf = false;
  bool jsonl = false;

  LocateFormat format() const {
    return bed     ? LocateFormat::bed
           : paf   ? LocateFormat::paf
           : jsonl ? LocateFormat::jsonl
                   : LocateFormat::tsv;
  }
  std::uint64_t most() const { return max_hits == 0 ? unlimited : max_hits; }
};

class LocateTask final : public QueryTask {
 public:
  LocateTask(const LocateOptions& options, const Index& index,
             std::atomic<std::uint64_t>& truncated)
      : strands_(options.query.strands()),
        max_hits_(options.most()),
        format_(options.format()),
        index_(index),
        truncated_(truncated) {}

  void search(const Searcher& searcher, const Patterns& patterns) override {
    searcher.locate(patterns, strands_, max_hits_, hits_);
    truncated_ += static_cast<std::uint64_t>(
        std::count_if(hits_.counts.begin(), hits_.counts.end(),
                      [this](const StrandCounts& counts) { return counts.total() > max_hits_; }));
  }
  void format(const RecordBatch& queries, std::string& text) override {
    append_hits(text, queries, hits_, index_.records(), index_.fm().segments, format_);
  }

 private:
  Strands strands_;
  std::uint64_t max_hits_;
  LocateFormat format_;
  const Index& index_;
  std::atomic<std::uint64_t>& truncated_;
  Hits hits_;
};

void run_locate(const LocateOptions& options, Session& session) {
  std::atomic<std::uint64_t> truncated{0};
  run_queries(
      options.query, session, options.format() == LocateFormat::tsv ? locate_header : "",
      [&](const Index& index) { return std::make_unique<LocateTask>(options, index, truncated); });
  if (truncated > 0) {
    log().warn("{} queries have more than {} hits; only so many of each were written (--max-hits)",
               truncated.load(), options.most());
  }
}

}  // namespace

void add_locate_command(CLI::App& app, Session& session, Run& run) {
  auto options = std::make_shared<LocateOptions>();
  CLI::App* command = app.add_subcommand("locate", "Find where queries occur exactly");
  command->footer(
      "Output: TSV, one line a hit: query_id, target_id, start, end, strand, mismatches (0), "
      "n_total, "
      "n_reported, truncated (yes or no). Coordinates are 0-based, half-open, on the target's "
      "forward strand; strand - means that the query's reverse complement is there. Queries keep "
      "their order; hits are sorted by target, start, strand. A query without hits has no line "
      "(JSON lines: an object with no hits).\n\n"
      "Examples:\n"
      "  gsx locate reads.fq.gz --bed > hits.bed\n"
      "  gsx locate -x genome.gsx -p TTAGGGTTAGGG --max-hits 100");
  add_query_options(*command, options->query);
  add_number(*command, "--max-hits", options->max_hits, {},
             "Write at most N hits of a query (the first in suffix order), 0: all; n_total, "
             "n_reported and truncated tell");
  auto* bed = command->add_flag("--bed", options->bed, "BED6, name = query, score 0");
  auto* paf = command->add_flag("--paf", options->paf, "PAF with NM, nh (all hits) and cg tags");
  auto* jsonl = command->add_flag("--jsonl", options->jsonl, "JSON lines, one object a query");
  bed->excludes(paf)->excludes(jsonl);
  paf->excludes(jsonl);
  add_session_options(*command, session);
  command->callback(
      [options, &run] { run = [options](Session& started) { run_locate(*options, started); }; });
}

}  // namespace gsx::app
