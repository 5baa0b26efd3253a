// gsx prefix: the longest sequence of a set that each query begins with.
#include <CLI/App.hpp>
#include <algorithm>
#include <memory>

#include "base/log.hpp"
#include "commands.hpp"
#include "commands/prefix_options.hpp"
#include "device/cost.hpp"
#include "device/registry.hpp"
#include "options/cram_option.hpp"
#include "options/option_kinds.hpp"
#include "options/options.hpp"
#include "process/input_bytes.hpp"
#include "process/process.hpp"
#include "queries/command_run.hpp"
#include "records/sequence_reader.hpp"
#include "run/prefix_task.hpp"
#include "run/query_results.hpp"

namespace gsx::app {
namespace {

/// Bytes of input whose queries a thread looks for at a time.
constexpr std::uint64_t batch_bytes = std::uint64_t{1} << 20;
/// Without a limit, a record of the set may have as many bytes: far more than any that is taken.
constexpr std::uint64_t most_record_bytes = std::uint64_t{1} << 30;

class PrefixRun : CommandRun {
 public:
  PrefixRun(const PrefixCommand& options, Session& session)
      : CommandRun(session), options_(options) {
    cram_ = cram_references(options.cram_reference);
    open_result(options.output, options.summary);
  }

  void run() {
    const PrefixEntries entries = read_set();
    log_list_notes(entries.list_notes);
    const PrefixFigures figures = search(entries);
    if (options_.counts)
      write_prefix_counts(entries, figures, [this](std::string_view text) { out_->write(text); });
    finish(summary_of(figures));
    log_times(times_, figures.queries);
    log_figures(figures);
  }

 private:
  PrefixEntries read_set() {
    session_.report("reading the set", -1);
    // Without queries, the least that is needed: a line of SAM gets an eighth of what is left.
    const QueryMemory memory = plan(0);
    return read_prefix_entries(options_.entries, options_.set_files,
                               {.block_bytes = memory.batch_bytes,
                                .record_bytes = std::min(memory.record_bytes, most_record_bytes),
                                .decoding = reading(memory).decoding,
                                .require = [this](std::uint64_t bytes) {
                                  require_memory(options_.memory_limit, "reading the set", bytes);
                                }});
  }
  QueryMemory plan(std::uint64_t table_bytes) const {
    return plan_query_memory({.limit = options_.memory_limit.bytes,
                              .limited_by = options_.memory_limit.given_by,
                              .threads = session_.threads,
                              .batch_bytes = batch_bytes,
                              .table_bytes = table_bytes});
  }

  PrefixFigures search(const PrefixEntries& entries) {
    const std::uint64_t counters = entries.set.size() * sizeof(std::uint64_t);
    const QueryMemory memory = plan(entries.bytes() + counters);
    ReaderOptions how = reading(memory);
    how.refuse_fastq_in_fasta = true;
    SequenceReader reader(options_.files, how);
    const std::uint64_t all_bytes = bytes_of_files(options_.files);
    backend_ = options_.device.for_work(cost_of(entries.set), options_.memory_limit, memory.threads)
                   .make(path_);
    const std::unique_ptr<PrefixFinder> finder =
        backend_->open<PrefixSearch>({entries.set, memory.threads});
    PrefixFigures figures;
    figures.counts.resize(entries.set.size());
    const std::function<void()> report = [&] {
      session_.report("searching", fraction_of(reader.bytes_read(), all_bytes), figures.queries,
                      "queries");
    };
    if (!options_.no_header) out_->write(options_.counts ? prefix_counts_header : prefix_header);
    up_to_error([&] {
      run_pipeline(
          {.searcher = nullptr,
           .alphabet = nullptr,
           .threads = memory.threads,
           .times = &times_,
           .piece_bytes = memory.piece_bytes},
          [&](RecordBatch& batch) { return reader.next(batch); }, *out_,
          [&] {
            return make_prefix_task({entries, *finder, !options_.counts}, figures, report);
          });
    });
    log_list_notes(reader.list_notes());
    warn_of_empty(reader.empty_files(), "queries");
    return figures;
  }

  WorkCost cost_of(const PrefixSet& set) const {
    return cost_of_prefixes(inflated_bytes(options_.files), set.bytes());
  }

  RunSummary summary_of(const PrefixFigures& all) const {
    return {.command = "prefix",
            .figures = {{"queries", all.queries},
                        {"queries_matched", all.matched},
                        {"entries", all.counts.size()},
                        {"entries_matched", entries_matched(all)}},
            .files = {{"set_files", options_.set_files}, {"query_files", options_.files}},
            .options = options_.as_json()};
  }
  static std::uint64_t entries_matched(const PrefixFigures& all) {
    return all.counts.size() -
           static_cast<std::uint64_t>(std::ranges::count(all.counts, std::uint64_t{0}));
  }
  static void log_figures(const PrefixFigures& all) {
    const double part =
        all.queries == 0 ? 0 : static_cast<double>(all.matched) / static_cast<double>(all.queries);
    log().info("{} quer{}, {} ({:.2f} %) with an entry; {} of {} entries found", all.queries,
               all.queries == 1 ? "y" : "ies", all.matched, 100 * part, entries_matched(all),
               all.counts.size());
  }

  const PrefixCommand& options_;
};

void run_prefix(const PrefixCommand& options, Session& session) {
  options.check(session);
  (void)devices_named(options.device.device);  // a wrong name is an error before the work
  if (options.memory_limit.bytes != unlimited) give_memory_back();
  with_memory_cure({.work = "searching prefixes", .fewer_threads = session.threads > 1},
                   [&] { PrefixRun(options, session).run(); });
}

}  // namespace

void add_prefix_command(CLI::App& app, Session& session, Run& run) {
  auto options = std::make_shared<PrefixCommand>();
  CLI::App* command = add_command(
      app, "prefix",
      "Find the longest sequence of a set that each query begins with: barcodes, primers");
  command->footer(
      "Output: TSV, one line per query, in input order: query_id, entry_id, and the length of the "
      "entry; . and 0 if the query begins with none. Of several entries, the longest is taken. "
      "Bases must be equal, in either case, and U is T; a letter of a query other than A, C, G, T "
      "and U equals none.\n\n"
      "The set has sequences of 1 to 1024 bases A C G T U. A sequence that comes twice ends the "
      "run with exit code 3, and so does any other letter, and a set without sequences; another "
      "letter in --entry is exit code 2.\n\n"
      "Examples:\n"
      "  gsx prefix --set barcodes.txt reads.fq.gz > reads_and_barcodes.tsv\n"
      "  gsx prefix --set primers.fa reads.fq.gz --counts\n"
      "  gsx prefix --entry ACGTAC --entry ACGTACGT - < reads.fa\n"
      "  gsx prefix --set adapters.fa reads.fq --no-header | awk '$2 == \".\"'");
  add_prefix_options(*command, *options);
  add_session_options(*command, session);
  set_work(*command, run, [options](Session& started) { run_prefix(*options, started); });
}

}  // namespace gsx::app
