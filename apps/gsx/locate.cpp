// gsx locate: where each query occurs.
#include <algorithm>
#include <atomic>

#include "base/error.hpp"
#include "base/log.hpp"
#include "commands.hpp"
#include "numbers.hpp"
#include "query_run.hpp"
#include "report/query_report.hpp"
#include "report/sorted_hits.hpp"

namespace gsx::app {
namespace {

struct LocateOptions {
  QueryOptions query;
  std::uint64_t max_hits = 0;
  bool bed = false;
  bool paf = false;
  bool jsonl = false;
  std::string sort = "query";

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
  LocateTask(const LocateOptions& options, const Index& index, LineSorter* sorter,
             std::atomic<std::uint64_t>& truncated)
      : strands_(options.query.strands()),
        max_hits_(options.most()),
        format_(options.format()),
        index_(index),
        truncated_(truncated) {
    if (sorter != nullptr) sorted_ = std::make_unique<SortedHits>(sorter->collector());
  }

  void run(const Searcher& searcher, QueryBatch& batch) override {
    searcher.stream_hits(batch.patterns, {strands_, max_hits_}, [&](const HitChunk& chunk) {
      batch.clock.done(Stage::search);
      // Each query once: not in the chunks that go on with it.
      const auto new_ones = chunk.counts.subspan(chunk.before > 0 ? 1 : 0);
      truncated_ += static_cast<std::uint64_t>(
          std::count_if(new_ones.begin(), new_ones.end(),
                        [this](const StrandCounts& counts) { return counts.total() > max_hits_; }));
      if (sorted_) sorted_->begin(batch.queries.number, chunk);
      append_hits(sorted_ ? sorted_->lines() : batch.text, batch.queries, chunk, index_.records(),
                  index_.fm().segments, format_);
      if (sorted_) sorted_->lines().flush();
      batch.at = chunk.first + chunk.patterns();
      batch.clock.done(Stage::format);
    });
  }

 private:
  Strands strands_;
  std::uint64_t max_hits_;
  LocateFormat format_;
  const Index& index_;
  std::atomic<std::uint64_t>& truncated_;
  std::unique_ptr<SortedHits> sorted_;
};

void run_locate(LocateOptions& options, Session& session) {
  options.query.sorted = options.sort == "position";
  options.query.memory_cure = "--max-hits, --batch or --memory-limit";
  if (options.query.sorted && options.jsonl) {
    throw UsageError("--sort position needs a line per hit, and --jsonl gives one per query");
  }
  std::atomic<std::uint64_t> truncated{0};
  run_queries(options.query, session, options.format() == LocateFormat::tsv ? locate_header : "",
              [&](const Index& index, LineSorter* sorter) {
                return std::make_unique<LocateTask>(options, index, sorter, truncated);
              });
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
             "n_reported and truncated tell")
      ->group("Output");
  auto* bed =
      command->add_flag("--bed", options->bed, "BED6, name = query, score 0")->group("Output");
  auto* paf = command->add_flag("--paf", options->paf, "PAF with NM, nh (all hits) and cg tags")
                  ->group("Output");
  auto* jsonl = command->add_flag("--jsonl", options->jsonl, "JSON lines, one object a query")
                    ->group("Output");
  bed->excludes(paf)->excludes(jsonl);
  paf->excludes(jsonl);
  add_choice(*command, "--sort", options->sort, {"query", "position"},
             "Order of the lines: query (as in the input) or position (target, start, strand; what "
             "memory does not hold is sorted in $TMPDIR)")
      ->group("Output");
  add_session_options(*command, session);
  command->callback(
      [options, &run] { run = [options](Session& started) { run_locate(*options, started); }; });
}

}  // namespace gsx::app
