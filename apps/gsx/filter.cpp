// gsx filter: writes the reads that match the text, or the others.
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "backend/registry.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/out_of_memory.hpp"
#include "commands.hpp"
#include "cram_option.hpp"
#include "device_choice.hpp"
#include "environment.hpp"
#include "filter_options.hpp"
#include "index_choice.hpp"
#include "input_options.hpp"
#include "io/output.hpp"
#include "open_index.hpp"
#include "query/filter_pipeline.hpp"
#include "query/mate_source.hpp"
#include "query/query_memory.hpp"
#include "query_checks.hpp"
#include "query_run.hpp"
#include "reference.hpp"

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

std::string summary_of(const FilterFigures& all, const FilterOptions& options) {
  return fmt::format(
      "{{\"version\":\"{}\",\"command\":\"filter\",\"reads\":{},\"reads_matched\":{},"
      "\"reads_that_cannot_match\":{},\"reads_written\":{},\"pairs\":{},\"pairs_matched\":{},"
      "\"bases\":{},\"bases_written\":{},"
      "\"options\":{{{}}}}}\n",
      GSX_VERSION, all.reads, all.reads_matched, all.reads_that_cannot_match, all.reads_written,
      all.pairs, all.pairs_matched, all.bases, all.bases_written, options.as_json());
}

std::string per_cent(std::uint64_t part, std::uint64_t all) {
  if (all == 0) return "";
  return fmt::format(" ({:.2f} %)", 100 * static_cast<double>(part) / static_cast<double>(all));
}

void log_figures(const FilterFigures& all, std::uint64_t min_length) {
  if (all.pairs != 0) {
    log().info("{} pair{}, {} matched{}; {} of {} reads written", all.pairs,
               all.pairs == 1 ? "" : "s", all.pairs_matched, per_cent(all.pairs_matched, all.pairs),
               all.reads_written, all.reads);
  } else {
    log().info("{} read{}, {} matched{}, {} written", all.reads, all.reads == 1 ? "" : "s",
               all.reads_matched, per_cent(all.reads_matched, all.reads), all.reads_written);
  }
  if (all.reads != 0 && all.reads_like_dna == all.reads && all.reads_matched == 0) {
    return log().warn(
        "no read matches, and all look like DNA (A, C, G, T, U and N only), but this is a protein "
        "index");
  }
  const std::uint64_t odd = all.reads_that_cannot_match;
  if (odd == 0) return;
  const std::string what =
      no_part_matches(odd, all.reads, {"read", "reads", min_length}, "the index");
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
                              .cram = cram_references(options.query.cram_reference),
                              .allow_no_eof = true}}),
        out_(options.query.output, encoding_for(options.query.output), cores_),
        second_(options.second_output, cores_),
        summary_(options.query.summary, 1) {
    for (Output* output : {&out_, second_.get()})
      if (output != nullptr) output->check_before_writing([this] { index_.require_unchanged(); });
  }

  void run() {
    const auto searcher = backend_->open_matches(index_, memory_.threads, memory_.search);
    session_.used(*backend_);
    const auto writer = make_filter_writer(options_.pairing(), options_.rules(),
                                           {.first = &out_, .second = second_.get()});
    search(*searcher, *writer);
    index_.require_unchanged();
    if (Output* summary = summary_.get()) summary->write(summary_of(writer->figures(), options_));
    // Last the summary: if this file exists, all others do.
    commit_all(std::array{&out_, second_.get(), summary_.get()});
    log_times(times_, writer->figures().reads);
    for (const std::string& file : source_.empty_files())
      log().warn("{}: the file has no reads", file);
    log_figures(writer->figures(), options_.min_length);
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
        .report = [&](const FilterFigures& all) {
          const double part = input_bytes == 0 ? -1
                                               : static_cast<double>(source_.bytes_read()) /
                                                     static_cast<double>(input_bytes);
          session_.report("filtering", part, all.reads, "reads");
        }};
    try {
      run_filter(
          pipeline, [this](RecordBatch& batch) { return source_.next(batch); }, writer);
    } catch (const InputError&) {
      out_.flush();  // the reads before the bad one, if they go to a stream
      if (Output* second = second_.get()) second->flush();
      throw;
    }
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
  Output out_;
  SideFile second_;
  SideFile summary_;
};

void require_reads(const FilterOptions& options) {
  if (!options.files().empty()) return;
  throw UsageError("no reads: name a FASTQ or FASTA file, or - for standard input");
}

void run_filter_command(FilterOptions& options, Session& session) {
  options.check();
  require_reads(options);
  QueryOptions& query = options.query;
  query.side_outputs = {options.second_output};
  const CpuPath path = cpu_path();
  devices_named(query.device.device);  // throws before anything is read
  std::vector<std::string>& files = query.inputs.files;
  const bool in_memory = !query.references.empty();
  const std::string index_path =
      in_memory ? "" : choose_index(query.index, files, ArgumentKind::queries);
  require_reads(options);
  refuse_indexes(files, one_index_per_run);
  require_files(files);
  std::vector<std::string> read = files;
  read.insert(read.end(), query.references.begin(), query.references.end());
  if (in_memory) options.check_files(read);  // before the work
  const bool automatic = query.device.device == "auto";
  std::unique_ptr<Backend> backend = automatic ? nullptr : query.device.make(path);
  const Index index = in_memory ? index_of_references(query, files, session)
                                : open_index(index_path, IndexUse::whole, session,
                                             {query.device.device, query.memory_limit});
  if (!in_memory) {
    read.push_back(index.path());
    options.check_files(read);
  }
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
      "without "
      "L others in a row never matches; the log and --summary count such reads.\n\n"
      "Records are written as they are in the input, byte for byte and in the same order: names "
      "and comments, letters in either case, qualities, line ends. Only if the last line of a file "
      "has no end and more records follow, a line end is added, of the kind of the line before.\n\n"
      "Two files hold mates: a pair is written or left out as a whole, and matches if either mate "
      "does, or with --both if both do. Their names must be equal up to the first blank, without "
      "/1 and /2; pairs that are out of step end the run with exit code 3. With --interleaved, "
      "pairs go to one output, or to -o and -O.\n\n"
      "Examples:\n"
      "  gsx filter -x host.gsx r1.fq.gz r2.fq.gz --drop -o clean_1.fq.gz -O clean_2.fq.gz\n"
      "  gsx filter host.gsx reads.fq.gz --drop -L 25 --min-cover 0.3 > clean.fq\n"
      "  gsx filter -r phix.fa reads.fq.gz --keep -o phix.fq --summary phix.json\n"
      "  gsx filter host.gsx --interleaved --drop --both - < pairs.fq > clean.fq");
  add_filter_options(*command, *options);
  add_session_options(*command, session);
  command->callback([options, &run] {
    run = [options](Session& started) { run_filter_command(*options, started); };
  });
}

}  // namespace gsx::app
