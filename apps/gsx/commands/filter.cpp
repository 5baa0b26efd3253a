// gsx filter: writes the reads that match the text, or the others.
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/out_of_memory.hpp"
#include "bytes/output.hpp"
#include "commands.hpp"
#include "commands/filter_options.hpp"
#include "device/registry.hpp"
#include "inputs/index_choice.hpp"
#include "inputs/input_options.hpp"
#include "inputs/open_index.hpp"
#include "inputs/reference.hpp"
#include "options/cram_option.hpp"
#include "process/device_choice.hpp"
#include "process/environment.hpp"
#include "queries/query_checks.hpp"
#include "queries/query_run.hpp"
#include "run/filter_pipeline.hpp"
#include "run/mate_source.hpp"
#include "run/query_memory.hpp"

namespace gsx::app {
namespace {

/// The reads of all files.
class ReadSource {
 public:
  ReadSource(const std::vector<std::string>& files, ReadPairing pairing,
             const ReaderOptions& options) {
    if (pairing == ReadPairing::files) {
      mates_.emplace(files[0], files[1], options);
    } else {
      reader_.emplace(files, options);
    }
  }
  bool next(RecordBatch& batch) { return mates_ ? mates_->next(batch) : reader_->next(batch); }
  std::uint64_t bytes_read() const { return mates_ ? mates_->bytes_read() : reader_->bytes_read(); }
  bool is_alignment(std::size_t file) const { return reader_ && reader_->is_alignment(file); }
  std::vector<std::string> empty_files() const {
    return mates_ ? mates_->empty_files() : reader_->empty_files();
  }

 private:
  std::optional<MateSource> mates_;
  std::optional<SequenceReader> reader_;
};

/// An output that may not be there.
class SideFile {
 public:
  SideFile(const std::string& path, int threads) {
    if (!path.empty()) output_.emplace(path, encoding_for(path), threads);
  }
  Output* get() { return output_ ? &*output_ : nullptr; }

 private:
  std::optional<Output> output_;
};

JsonMembers figures_of_summary(const FilterFigures& all) {
  return {{"reads", all.reads},
          {"reads_matched", all.reads_matched},
          {"reads_that_cannot_match", all.reads_that_cannot_match},
          {"reads_too_short", all.reads_too_short},
          {"reads_written", all.reads_written},
          {"pairs", all.pairs},
          {"pairs_matched", all.pairs_matched},
          {"bases", all.bases},
          {"bases_written", all.bases_written}};
}

std::string per_cent(std::uint64_t part, std::uint64_t all) {
  if (all == 0) return "";
  return fmt::format(" ({:.2f} %)", 100 * static_cast<double>(part) / static_cast<double>(all));
}

void log_figures(const FilterFigures& all, std::uint64_t min_length, const Alphabet& alphabet) {
  if (all.pairs != 0) {
    log().info("{} pair{}, {} matched{}; {} of {} reads written", all.pairs,
               all.pairs == 1 ? "" : "s", all.pairs_matched, per_cent(all.pairs_matched, all.pairs),
               all.reads_written, all.reads);
  } else {
    log().info("{} read{}, {} matched{}, {} written", all.reads, all.reads == 1 ? "" : "s",
               all.reads_matched, per_cent(all.reads_matched, all.reads), all.reads_written);
  }
  const std::uint64_t few = all.reads_too_short;
  if (few != 0 && few == all.reads) {
    throw InputError(fmt::format("no read can match: {} shorter than {} symbols; see -L",
                                 few == 1 ? "the only one is" : fmt::format("all {} are", few),
                                 min_length));
  }
  if (all.reads != 0 && all.reads_like_dna == all.reads && all.reads_matched == 0) {
    return log().warn(
        "no read matches, and all look like DNA (A, C, G, T, U and N only), but this is a protein "
        "index");
  }
  const std::uint64_t odd = all.reads_that_cannot_match;
  if (odd == 0) return;
  const std::string what =
      no_part_matches(odd, all.reads, {"read", "reads", min_length}, alphabet, "the index");
  if (few != 0) {
    return log().warn("{}; {} shorter; see -L", what,
                      few == 1 ? "1 is" : fmt::format("{} are", few));
  }
  if (odd == all.reads) return log().warn("{}", what);
  log().info("{}", what);
}

/// One run, once it is known what to search, and on which device.
class FilterRun {
 public:
  FilterRun(const FilterOptions& options, const Index& index, Session& session, CpuPath path,
            std::unique_ptr<Backend> backend)
      : options_(options),
        index_(index),
        session_(session),
        path_(path),
        backend_(std::move(backend)),
        memory_(plan_query_memory({.limit = options.query.memory_limit.bytes,
                                   .limited_by = options.query.memory_limit.given_by,
                                   .threads = backend_->search_threads(session.threads),
                                   .batch_bytes = options.query.batch_for(
                                       bytes_of_files(options.files()), session.threads),
                                   .table_bytes = memory_of_index(index)})),
        cores_(std::min(memory_.threads, session.threads)),
        source_(options.files(), options.pairing(),
                {.threads = cores_,
                 .block_bytes = memory_.batch_bytes,
                 .keep_bytes = true,
                 .record_bytes = memory_.query_bytes,
                 .header_bytes = memory_.query_bytes,
                 .refuse_fastq_in_fasta = index.alphabet().policy() != SymbolPolicy::bytes,
                 .allow_empty = true,
                 .hands_over = memory_.ample,
                 .times = &times_,
                 .path = path_,
                 .decoding = {.unpack_bytes = memory_.unpack_bytes,
                              .record_bytes = memory_.record_bytes,
                              .cram = cram_references(options.query.reading.cram_reference),
                              .allow_no_eof = true}}),
        out_(options.query.output, encoding_for(options.query.output), cores_),
        second_(options.second_output, cores_),
        rest_(options.rest, cores_),
        second_rest_(options.second_rest, cores_),
        by_record_(options.by_record, 1),
        summary_(options.query.summary, 1) {
    for (Output* output : reads_out())
      if (output != nullptr) output->check_before_writing([this] { index_.require_unchanged(); });
  }

  void run() {
    const auto searcher = backend_->open<MatchSearch>({index_, memory_.threads, memory_.search});
    if (by_record_.get() != nullptr) {
      places_ = backend_->open<ExactSearch>({index_, memory_.threads, memory_.search});
      tally_.emplace(index_.records());
    }
    session_.used(*backend_);
    const auto writer = make_filter_writer(
        {.rules = options_.rules(),
         .pairing = options_.pairing(),
         .by_order = options_.by_order(),
         .may_be_pairs = options_.unpaired,
         .passed = {.first = &out_, .second = second_.get()},
         .rest = {.first = rest_.get(), .second = second_rest_.get()},
         .is_alignment = [this](std::size_t file) { return source_.is_alignment(file); }});
    search(*searcher, *writer);
    index_.require_unchanged();
    if (Output* summary = summary_.get()) {
      RunSummary filtered{.version = GSX_VERSION,
                          .command = "filter",
                          .figures = figures_of_summary(writer->figures()),
                          .options = options_.as_json()};
      add_input(filtered, index_, options_.query.references, options_.files());
      summary->write(summary_text(filtered));
    }
    if (Output* table = by_record_.get()) table->write(tally_->table());
    // Last the summary: if this file exists, all others do.
    commit_all(std::array{&out_, second_.get(), rest_.get(), second_rest_.get(), by_record_.get(),
                          summary_.get()});
    log_times(times_, writer->figures().reads);
    for (const std::string& file : source_.empty_files())
      log().warn("{}: the file has no reads", file);
    log_figures(writer->figures(), options_.min_length, index_.alphabet());
  }

 private:
  void search(const MatchSearcher& searcher, FilterWriter& writer) {
    const std::uint64_t input_bytes = bytes_of_files(options_.files());
    const FilterPipeline pipeline{
        .searcher = searcher,
        .alphabet = index_.alphabet(),
        .rules = options_.rules(),
        .threads = memory_.threads,
        .times = &times_,
        .path = path_,
        .tally = tally_ ? &*tally_ : nullptr,
        .places = places_.get(),
        .targets = index_.records(),
        .segments = index_.text().segments,
        .report = [&](const FilterFigures& all) {
          const double part = input_bytes == 0 ? -1
                                               : static_cast<double>(source_.bytes_read()) /
                                                     static_cast<double>(input_bytes);
          session_.report("filtering", part, all.reads, "reads");
        }};
    try {
      run_filter(
          pipeline, [this](RecordBatch& batch) { return next(batch); }, writer);
    } catch (const InputError&) {
      write_reads_before(writer);
      throw;
    } catch (const ResourceError&) {
      write_reads_before(writer);
      throw;
    }
  }
  /// Reads the next batch. The first tells what is written, before anything is.
  bool next(RecordBatch& batch) {
    if (!source_.next(batch)) return false;
    if (!std::exchange(begun_, true) && !is_list(batch.format))
      options_.check_format(batch.format == SequenceFormat::fasta);
    return true;
  }
  /// Writes the reads before a bad one, if they go to a stream.
  void write_reads_before(FilterWriter& writer) {
    writer.release();
    for (Output* output : reads_out())
      if (output != nullptr && output->is_stream()) output->flush();
  }
  std::array<Output*, 4> reads_out() {
    return {&out_, second_.get(), rest_.get(), second_rest_.get()};
  }

  const FilterOptions& options_;
  const Index& index_;
  Session& session_;
  CpuPath path_;
  std::unique_ptr<Backend> backend_;
  QueryMemory memory_;
  int cores_;
  StageTimes times_;
  ReadSource source_;
  bool begun_ = false;  ///< whether reads have come
  Output out_;
  SideFile second_, rest_, second_rest_, by_record_;
  SideFile summary_;
  std::unique_ptr<Searcher> places_;  ///< of matches, if they are counted by record
  std::optional<RecordTally> tally_;
};

void require_reads(const FilterOptions& options) {
  if (!options.files().empty()) return;
  throw UsageError("no reads: name a FASTQ or FASTA file, or - for standard input");
}

void run_filter_command(FilterOptions& options, Session& session) {
  options.check();
  require_reads(options);
  QueryOptions& query = options.query;
  query.side_outputs = {options.second_output, options.rest, options.second_rest,
                        options.by_record};
  const CpuPath path = cpu_path();
  devices_named(query.device.device);  // throws before anything is read
  std::vector<std::string>& files = query.inputs.files;
  const bool in_memory = !query.references.empty();
  const std::string index_path =
      in_memory ? "" : choose_index(query.index, files, ArgumentKind::queries);
  require_reads(options);
  refuse_indexes(files, one_index_per_run);
  require_files(files);
  session.files.reads(files);
  session.files.reads(query.references);
  const auto check = [&] { options.check_files(session); };  // before the work
  if (in_memory) check();
  const bool automatic = query.device.device == "auto";
  std::unique_ptr<Backend> backend = automatic ? nullptr : query.device.make(path);
  const Index index = in_memory ? index_of_references(query, files, session)
                                : open_index(index_path, IndexUse::whole, session,
                                             {.device = query.device.device,
                                              .memory_limit = query.memory_limit,
                                              .check = [&](const Index&) { check(); }});
  if (automatic && is_few_queries(files, index.file_bytes(), session.threads)) {
    log().debug("using the CPU: there are few queries");
    backend = make_cpu_backend(path);
  } else if (automatic) {
    backend = query.device.for_run(query.memory_limit).make(path);
  }
  try {
    FilterRun(options, index, session, path, std::move(backend)).run();
  } catch (const LongQueryError& error) {
    throw ResourceError(std::string(error.what()) + "; raise --memory-limit");
  } catch (const OutOfMemoryError& error) {
    throw ResourceError(std::string(error.what()) + "; see --batch or --memory-limit");
  } catch (const std::bad_alloc&) {
    throw ResourceError("out of memory while reading reads; see --batch or --memory-limit");
  }
}

}  // namespace

void add_filter_command(CLI::App& app, Session& session, Run& run) {
  auto options = std::make_shared<FilterOptions>();
  CLI::App* command =
      app.add_subcommand("filter", "Write the reads that match the text, or those that do not");
  command->footer(
      "A read matches if it has an exact match of at least L symbols in the text, on either "
      "strand: a line in the output of gsx mem. With --min-cover, all its matches of at least L "
      "symbols must cover a part of it. Symbols outside the alphabet (N) match nothing. A read "
      "without L others in a row never matches; the log and --summary count such reads. If all are "
      "shorter than L, the exit code is 3.\n\n"
      "Records are written as they are in the input, byte for byte and in the same order: names "
      "and comments, letters in either case, qualities, line ends. Only if the last line of a file "
      "has no end and more records follow, a line end is added, of the kind of the line before.\n\n"
      "Two files hold mates: a pair is written or left out as a whole, and matches if either mate "
      "does, or with --both if both do. The first pair fixes how names tell mates apart: by 1 and "
      "2 behind /, ., _ or - at the end, as in 1:N:0 in the comment or behind _, or not at all. "
      "The rest of the names is equal up to the first blank; pairs that are out of step end the "
      "run with exit code 3, and --mates order pairs records whatever their names. With "
      "--interleaved, mates follow one another. Pairs go to -o and -O, or interleaved to standard "
      "output; with --interleaved also to -o alone. One file of pairs, told by its first 100 pairs "
      "of records or the flags of an alignment, is refused without --interleaved or "
      "--unpaired.\n\n"
      "--rest takes what is left out, and so both halves come from one run. --by-record tells how "
      "many reads match each record of the text, pairs apart: a read belongs to the record that "
      "holds its longest match, and is shared by several that do.\n\n"
      "Examples:\n"
      "  gsx filter -x host.gsx r1.fq.gz r2.fq.gz --drop -o clean_1.fq.gz -O clean_2.fq.gz\n"
      "  gsx filter host.gsx reads.fq.gz --drop -L 25 --min-cover 0.3 > clean.fq\n"
      "  gsx filter -x host.gsx r1.fq.gz r2.fq.gz --drop | bwa mem -p target.fa - > target.sam\n"
      "  gsx filter -x host.gsx reads.fq.gz --drop -o clean.fq.gz --rest host.fq.gz\n"
      "  gsx filter -r phix.fa reads.fq.gz --keep -o phix.fq --summary phix.json\n"
      "  gsx filter host.gsx --interleaved --drop --both - < pairs.fq > clean.fq");
  add_filter_options(*command, *options);
  add_session_options(*command, session, more_threads_with_gpu);
  command->callback([options, &run] {
    run = [options](Session& started) { run_filter_command(*options, started); };
  });
}

}  // namespace gsx::app
