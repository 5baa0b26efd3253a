// gsx filter: writes the reads that match the text, or the others.
#include <spdlog/fmt/fmt.h>

#include <CLI/App.hpp>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"
#include "commands.hpp"
#include "commands/filter_options.hpp"
#include "options/option_kinds.hpp"
#include "queries/search_run.hpp"
#include "run/filter_pipeline.hpp"
#include "run/mate_source.hpp"
#include "run/query_results.hpp"

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

/// Call open() and search(), once each and in this order.
class FilterRun : SearchRun {
 public:
  /// Refuses what can be refused before anything is opened.
  FilterRun(FilterOptions& options, Session& session)
      : SearchRun(options.query, session,
                  "no reads: name a FASTQ or FASTA file, or - for standard input"),
        filter_(options) {}

  /// Opens what is searched, and checks the outputs before the work.
  void open() {
    if (in_memory()) filter_.check_files(session_);
    SearchRun::open({.use = IndexUse::whole,
                     .work = QueryWork::any_match,
                     .check = [this](const Index&) { filter_.check_files(session_); }});
  }

  void search() {
    plan(backend_->search_threads(session_.threads));
    ReaderOptions how = reading(memory_);
    how.keep_bytes = true;
    how.refuse_fastq_in_fasta = index().alphabet().policy() != SymbolPolicy::bytes;
    how.decoding.lists = ListForm::none;
    source_.emplace(filter_.files(), filter_.pairing(), how);
    open_outputs();
    Output* const by_record = sides_[3];
    const auto searcher = backend_->open<MatchSearch>({index(), memory_.threads, memory_.search});
    if (by_record != nullptr) {
      places_ = backend_->open<ExactSearch>({index(), memory_.threads, memory_.search});
      tally_.emplace(index().records());
    }
    session_.used(*backend_);
    const auto writer = make_filter_writer(
        {.rules = filter_.rules(),
         .pairing = filter_.pairing(),
         .by_order = filter_.by_order(),
         .may_be_pairs = filter_.unpaired,
         .passed = {.first = out_, .second = sides_[0]},
         .rest = {.first = sides_[1], .second = sides_[2]},
         .is_alignment = [this](std::size_t file) { return source_->is_alignment(file); }});
    filter(*searcher, *writer);
    if (by_record != nullptr) by_record->write(tally_->table());
    const FilterFigures& all = writer->figures();
    finish(summary("filter", figures_of_summary(all), filter_.as_json()), all.reads);
    warn_of_empty(source_->empty_files(), "reads");
    log_figures(all, filter_.min_length, index().alphabet());
  }

 private:
  void filter(const MatchSearcher& searcher, FilterWriter& writer) {
    const std::uint64_t all_bytes = input_bytes();
    const FilterPipeline pipeline{.searcher = searcher,
                                  .alphabet = index().alphabet(),
                                  .rules = filter_.rules(),
                                  .threads = memory_.threads,
                                  .times = &times_,
                                  .path = path_,
                                  .tally = tally_ ? &*tally_ : nullptr,
                                  .places = places_.get(),
                                  .targets = index().records(),
                                  .segments = index().text().segments,
                                  .report = [&](const FilterFigures& all) {
                                    session_.report("filtering",
                                                    fraction_of(source_->bytes_read(), all_bytes),
                                                    all.reads, "reads");
                                  }};
    const auto search = [&] {
      run_filter(
          pipeline, [this](RecordBatch& batch) { return next(batch); }, writer);
    };
    const auto release = [&] {
      writer.release();
      return true;
    };
    up_to_error(search, release, {ErrorKind::input, ErrorKind::resources});
  }
  /// Reads the next batch. The first tells what is written, before anything is.
  bool next(RecordBatch& batch) {
    if (!source_->next(batch)) return false;
    if (!std::exchange(begun_, true) && !is_list(batch.format))
      filter_.check_suffixes(batch.format == SequenceFormat::fasta ? "fasta" : "fastq",
                             session_.files, true);
    return true;
  }

  FilterOptions& filter_;
  std::optional<ReadSource> source_;
  bool begun_ = false;                ///< whether reads have come
  std::unique_ptr<Searcher> places_;  ///< of matches, if they are counted by record
  std::optional<RecordTally> tally_;
};

void run_filter_command(FilterOptions& options, Session& session) {
  options.check();
  QueryOptions& query = options.query;
  query.side_outputs = {options.second_output, options.rest, options.second_rest,
                        options.by_record};
  query.takes_patterns = false;
  FilterRun run(options, session);
  run.open();
  with_memory_cure({"reading reads", query.memory_cure}, [&] { run.search(); });
}

}  // namespace

void add_filter_command(CLI::App& app, Session& session, Run& run) {
  auto options = std::make_shared<FilterOptions>();
  CLI::App* command =
      add_command(app, "filter", "Write the reads that match the text, or those that do not");
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
  set_work(*command, run, [options](Session& started) { run_filter_command(*options, started); });
}

}  // namespace gsx::app
