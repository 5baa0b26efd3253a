// gsx prefix: the longest sequence of a set that each query begins with.
#include <algorithm>
#include <array>
#include <memory>
#include <new>
#include <optional>

#include "analysis/barcodes/prefix_lines.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/out_of_memory.hpp"
#include "bytes/output.hpp"
#include "commands.hpp"
#include "commands/prefix_options.hpp"
#include "device/registry.hpp"
#include "options/cram_option.hpp"
#include "options/options.hpp"
#include "output/summary/run_summary.hpp"
#include "process/device_choice.hpp"
#include "process/environment.hpp"
#include "process/process.hpp"
#include "queries/query_run.hpp"
#include "records/sequence_reader.hpp"
#include "run/query_memory.hpp"

namespace gsx::app {
namespace {

/// Bytes of input whose queries a thread looks for at a time.
constexpr std::uint64_t batch_bytes = std::uint64_t{1} << 20;
/// Without a limit, a record of the set may have as many bytes: far more than any that is taken.
constexpr std::uint64_t most_record_bytes = std::uint64_t{1} << 30;

class PrefixRun {
 public:
  PrefixRun(const PrefixCommand& options, Session& session)
      : options_(options),
        session_(session),
        path_(cpu_path()),
        cram_(cram_references(options.cram_reference)),
        out_(options.output, encoding_for(options.output), session.threads) {
    if (!options.summary.empty()) summary_.emplace(options.summary, encoding_for(options.summary));
  }

  void run() {
    const PrefixEntries entries = read_set();
    for (const std::string& note : entries.list_notes)
      log().info("{}", note);
    PrefixFigures figures = search(entries);
    if (options_.counts)
      write_prefix_counts(entries, figures, [this](std::string_view text) { out_.write(text); });
    if (summary_) summary_->write(summary_of(figures));
    // Last the summary: if this file exists, the other one does.
    commit_all(std::array{&out_, summary_ ? &*summary_ : nullptr});
    log_times(times_, figures.queries);
    log_figures(figures);
  }

 private:
  PrefixEntries read_set() {
    session_.report("reading the set", -1);
    // Without queries, the least that is needed: a line of SAM gets an eighth of what is left.
    const QueryMemory memory = plan(0);
    return read_prefix_entries(options_.patterns, options_.pattern_files,
                               {.block_bytes = memory.batch_bytes,
                                .record_bytes = std::min(memory.record_bytes, most_record_bytes),
                                .decoding = {.unpack_bytes = memory.unpack_bytes,
                                             .record_bytes = memory.record_bytes,
                                             .cram = cram_,
                                             .allow_no_eof = true},
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
    SequenceReader reader(options_.files, {.threads = memory.threads,
                                           .block_bytes = memory.batch_bytes,
                                           .record_bytes = memory.query_bytes,
                                           .header_bytes = memory.query_bytes,
                                           .refuse_fastq_in_fasta = true,
                                           .allow_empty = true,
                                           .hands_over = memory.ample,
                                           .times = &times_,
                                           .path = path_,
                                           .decoding = {.unpack_bytes = memory.unpack_bytes,
                                                        .record_bytes = memory.record_bytes,
                                                        .cram = cram_,
                                                        .allow_no_eof = true,
                                                        .lists = ListForm::named}});
    const std::uint64_t all_bytes = bytes_of_files(options_.files);
    const std::unique_ptr<Backend> backend =
        make_backend(chosen_device(entries.set, memory.threads), options_.device.gpu_memory, path_);
    const std::unique_ptr<PrefixFinder> finder =
        backend->open<PrefixSearch>({entries.set, memory.threads});
    const PrefixPipeline pipeline{
        .entries = entries,
        .finder = *finder,
        .threads = memory.threads,
        .piece_bytes = memory.piece_bytes,
        .lines = !options_.counts,
        .times = &times_,
        .write =
            [this](std::string_view text, bool last) {
              out_.write(text);
              if (last) out_.flush_stream();
            },
        .report =
            [&](const PrefixFigures& all) {
              const double part = all_bytes == 0 ? -1
                                                 : static_cast<double>(reader.bytes_read()) /
                                                       static_cast<double>(all_bytes);
              session_.report("searching", part, all.queries, "queries");
            }};
    if (!options_.no_header) out_.write(options_.counts ? prefix_counts_header : prefix_header);
    try {
      PrefixFigures figures =
          find_prefixes(pipeline, [&](RecordBatch& batch) { return reader.next(batch); });
      for (const std::string& note : reader.list_notes())
        log().info("{}", note);
      for (const std::string& file : reader.empty_files())
        log().warn("{}: the file has no queries", file);
      session_.used(*backend);
      return figures;
    } catch (const InputError&) {
      out_.flush();  // the lines of the queries before the bad one, if they go to a stream
      throw;
    }
  }

  std::string chosen_device(const PrefixSet& set, int threads) const {
    std::string device = options_.device.for_run(options_.memory_limit).device;
    if (device != "auto" || !is_few_for_prefixes(options_.files, set.bytes(), threads))
      return device;
    log().debug("using the CPU: there are few queries, or sequences");
    return "cpu";
  }

  std::string summary_of(const PrefixFigures& all) const {
    return summary_text(
        {.version = GSX_VERSION,
         .command = "prefix",
         .figures = {{"queries", all.queries},
                     {"queries_matched", all.matched},
                     {"entries", all.counts.size()},
                     {"entries_matched", entries_matched(all)}},
         .files = {{"set_files", options_.pattern_files}, {"query_files", options_.files}},
         .options = options_.as_json()});
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
  Session& session_;
  CpuPath path_;
  CramReferences cram_;
  StageTimes times_;
  Output out_;
  std::optional<Output> summary_;
};

void run_prefix(const PrefixCommand& options, Session& session) {
  options.check(session);
  (void)devices_named(options.device.device);  // a wrong name is an error before the work
  if (options.memory_limit.bytes != unlimited) give_memory_back();
  try {
    PrefixRun(options, session).run();
  } catch (const LongQueryError& error) {
    throw ResourceError(std::string(error.what()) + "; raise --memory-limit" +
                        (session.threads > 1 ? ", or lower --threads" : ""));
  } catch (const OutOfMemoryError& error) {
    throw ResourceError(std::string(error.what()) + "; see --memory-limit");
  }
}

}  // namespace

void add_prefix_command(CLI::App& app, Session& session, Run& run) {
  auto options = std::make_shared<PrefixCommand>();
  CLI::App* command = app.add_subcommand(
      "prefix",
      "Find the longest sequence of a set that each query begins with: barcodes, primers");
  command->footer(
      "Output: TSV, one line per query, in input order: query_id, entry_id, and the length of the "
      "entry; . and 0 if the query begins with none. Of several entries, the longest is taken. "
      "Bases must be equal, in either case, and U is T; a letter of a query other than A, C, G, T "
      "and U equals none.\n\n"
      "The set has sequences of 1 to 1024 bases A C G T U. A sequence that comes twice ends the "
      "run with exit code 3, and so does any other letter, and a set without sequences; another "
      "letter in -p is exit code 2.\n\n"
      "Examples:\n"
      "  gsx prefix -f barcodes.txt reads.fq.gz > reads_and_barcodes.tsv\n"
      "  gsx prefix -f primers.fa reads.fq.gz --counts\n"
      "  gsx prefix -p ACGTAC -p ACGTACGT - < reads.fa\n"
      "  gsx prefix -f adapters.fa reads.fq --no-header | awk '$2 == \".\"'");
  add_prefix_options(*command, *options);
  add_session_options(*command, session);
  command->callback(
      [options, &run] { run = [options](Session& started) { run_prefix(*options, started); }; });
}

}  // namespace gsx::app
