#include "queries/query_run.hpp"

#include <algorithm>
#include <atomic>
#include <optional>

#include "base/error.hpp"
#include "base/log.hpp"
#include "device/circular/circular_searcher.hpp"
#include "device/shards/joined_search.hpp"
#include "inputs/by_file_option.hpp"
#include "inputs/hit_regions.hpp"
#include "options/circular_option.hpp"
#include "options/named_once.hpp"
#include "options/numbers.hpp"
#include "options/starting_backend.hpp"
#include "output/parts/part_writer.hpp"
#include "process/environment.hpp"
#include "queries/query_checks.hpp"
#include "queries/search_run.hpp"
#include "run/query_memory.hpp"
#include "search/exact/strand_check.hpp"
#include "search/mismatches/chosen_hits.hpp"
#include "search/mismatches/region_searcher.hpp"

namespace gsx::app {
namespace {

/// Throws UsageError if the patterns of -p, or --strand, do not fit the index.
void check_search(const QueryOptions& options, const Index& index) {
  const std::vector<std::string>& patterns = options.inputs.patterns;
  if (!options.equal.empty() && index.alphabet().has_reverse_complement())
    throw UsageError(
        "--equal is for proteins and text, and this index is DNA; --iupac has letters "
        "for sets of nucleotides");
  require_strand(options.strands(), index.alphabet());
  if (options.with_mismatches()) {
    check_patterns(patterns, options.rules());
  } else {
    check_patterns(patterns, options.equal.applied_to(index.alphabet()));
  }
}

/// What searches the index, across the origins of circular records too. The back end and the index
/// must outlive it.
struct OpenedSearch {
  OpenedSearch(const QueryOptions& options, Backend& backend, const Index& index,
               const std::vector<std::uint64_t>& circular, const TextRegions* regions,
               const QueryMemory& memory, CpuPath path);

  std::unique_ptr<Searcher> searcher;  ///< of exact matches; null if another one is set
  std::unique_ptr<MismatchSearcher> mismatch_searcher;
  std::optional<MismatchQueries> mismatches;
  std::unique_ptr<MatchSearcher> matches;  ///< if the command finds such
};

OpenedSearch::OpenedSearch(const QueryOptions& options, Backend& backend, const Index& index,
                           const std::vector<std::uint64_t>& circular, const TextRegions* regions,
                           const QueryMemory& memory, CpuPath path) {
  // Origins take the memory in which the index might be copied.
  SearchMemory others_memory = memory.search;
  if (!circular.empty()) others_memory.index_copy = 0;
  // There is a part in reserve for each thread, and the origins may take that of one.
  const std::uint64_t share = memory.search.index_copy;
  const std::uint64_t most =
      origin_bytes(share, share * static_cast<std::uint64_t>(memory.threads));
  const JunctionOptions junctions{memory.threads, memory.search, most, path};
  const auto all_of = [&](auto opened) {
    if (!circular.empty())  // else the text of shards need not be put together
      opened = with_origins(std::move(opened), index.text(), index.records(), circular, junctions);
    return within_regions(std::move(opened), regions);
  };
  if (options.with_mismatches()) {
    mismatch_searcher =
        all_of(open_mismatch_searcher(backend, index, memory.threads, others_memory));
    mismatches.emplace(MismatchQueries{*mismatch_searcher, options.rules(), index});
  } else if (!options.equal.empty()) {
    searcher = all_of(open_equal_searcher(index, options.equal, others_memory, path));
  } else {
    searcher = all_of(open_searcher(backend, index, memory.threads, others_memory));
  }
}

/// Tracks how much of the queries has been searched. Any thread may call it.
class SearchProgress {
 public:
  /// `input_bytes` is 0 if the size of the input is not known.
  SearchProgress(Session& session, std::uint64_t input_bytes)
      : session_(session), input_bytes_(input_bytes) {}

  void began(const RecordBatch& batch) { begun_ += batch.size(); }
  /// `bytes_read` are the bytes of all batches begun.
  void finished(const RecordBatch& batch, std::uint64_t bytes_read) {
    const std::uint64_t finished = finished_ += batch.size();
    session_.report("searching", part(finished, bytes_read), finished, "queries");
  }
  /// Reports the last ones, too, of which finished() does not hear.
  void finished_all() { session_.report("searching", 1, begun_, "queries"); }

 private:
  /// Unknown until a batch is done: the first may hold all queries, or a single query all the work.
  double part(std::uint64_t finished, std::uint64_t bytes_read) const {
    if (input_bytes_ == 0 || finished == 0) return -1;
    const double of_read = static_cast<double>(finished) / static_cast<double>(begun_);
    return of_read * static_cast<double>(bytes_read) / static_cast<double>(input_bytes_);
  }

  Session& session_;
  std::uint64_t input_bytes_;
  std::atomic<std::uint64_t> begun_{0};
  std::atomic<std::uint64_t> finished_{0};
};

/// Call open(), plan(), search() and finish(), once each and in this order.
class QueryCommandRun : SearchRun {
 public:
  /// Refuses what can be refused before anything is opened.
  QueryCommandRun(QueryOptions& options, Session& session, const QueryCommand& command)
      : SearchRun(options, session,
                  "no queries: name a file of FASTA, FASTQ or a pattern per line, - for standard "
                  "input, or -p PATTERN"),
        command_(command),
        coverage_(command.coverage) {
    if (!command.cpu_work.empty()) require_cpu(options.device.device, command.cpu_work);
    if (command.coverage != nullptr) {
      require_each_once(files_, "its hits would count twice");
    } else {
      warn_of_named_twice(files_, "its queries are searched, and counted, twice");
    }
  }

  /// Opens the index and the back end, and checks the options against the index.
  void open() {
    read_ahead();
    SearchRun::open({.use = command_.finds_matches() ? IndexUse::whole : IndexUse::parts,
                     .work = command_.work,
                     .cpu_work = command_.cpu_work,
                     .check = [this](const Index& index) { check_index(index); }});
    circular_ = circular_records(index().records(), index().alphabet(), options_.circular,
                                 command_.part.has_value());
  }

  /// Shares out the memory, and begins to read unless open() has.
  void plan() {
    plan_beside(0);
    if (!options_.regions.empty()) {
      ReadRegions read = read_regions(
          options_.regions, index().records(), options_.memory_limit.bytes,
          [this](std::uint64_t bytes) { plan_beside(bytes); }, command_.part.has_value());
      options_.regions_read = read.number;
      options_.regions_checksum = read.checksum;
      regions_found_ = {read.ranges.size(), read.checksum_of_ranges};
      regions_.emplace(index().fm().segments, index().records(), std::move(read.ranges));
      plan_beside(regions_->bytes());
    }
    if (options_.sorted) sorter_.emplace(memory_.sort_bytes, memory_.threads, scratch_place());
    if (!source_) open_source(memory_);
    if (index().alphabet().policy() != SymbolPolicy::bytes)
      source_->refuse_fastq_in_fasta();
    else
      source_->take_any_symbols();
  }

  /// Opens the outputs and the search, and writes what it finds.
  void search(const MakeQueryTask& make_task) {
    std::string header = command_.header_of ? command_.header_of(index()) : command_.header;
    if (command_.part) header = head_of_part();
    open_outputs();
    if (command_.take_sides) command_.take_sides(sides_);
    const QueryTargets targets{index().records(), index().fm().segments, !circular_.empty()};
    if (coverage_ != nullptr) coverage_->start(targets);
    alphabet_ = options_.equal.applied_to(index().alphabet());
    results_.emplace(index(), alphabet_, unmatched_);
    OpenedSearch opened(options_, *backend_, index(), circular_, regions_ ? &*regions_ : nullptr,
                        memory_, path_);
    if (command_.finds_matches())
      opened.matches = backend_->open<MatchSearch>({index(), memory_.threads, memory_.search});
    session_.used(*backend_);
    if (may_pack(opened)) source_->pack_bases();
    if (!options_.no_header) out_->write(header);
    if (!options_.no_header && sorter_ && command_.sort_header)
      command_.sort_header(index(), sorter_->collector());
    const QueryRun run{.request = {.strands = options_.strands()},
                       .palindromes_once = options_.palindromes_once(),
                       .tally = &results_->tally(),
                       .mismatches = opened.mismatches ? &*opened.mismatches : nullptr,
                       .matches = opened.matches.get(),
                       .depths = coverage_ == nullptr ? nullptr : coverage_->depths()};
    const auto make = [&] { return make_task(run, targets, sorter_ ? &*sorter_ : nullptr); };
    with_memory_cure({"reading queries", options_.memory_cure, memory_.threads > 1}, [&] {
      up_to_error([&] { search_all(opened, make); },
                  [this] {
                    if (out_->is_stream()) write_collected(false);
                    return true;
                  });
      write_collected(true);
    });
  }

  /// Gives the outputs their names, and reports.
  QueryFigures finish() {
    RunSummary run = summary(results_->figures_of_summary(options_.with_rules));
    if (command_.part) write_end_of_part(run);
    SearchRun::finish(std::move(run), results_->figures().queries);
    log().debug("{} batches", batches_.load());
    log_list_notes(source_->list_notes());
    warn_of_empty(source_->empty_files(), "queries");
    if (options_.with_mismatches()) results_->report_left_out();
    results_->report(command_.found);
    return results_->figures();
  }

 private:
  RunSummary summary(JsonMembers figures) const {
    JsonMembers options = options_.as_json();
    options.insert(options.end(), command_.options.begin(), command_.options.end());
    return SearchRun::summary(command_.name, std::move(figures), std::move(options));
  }

  std::string head_of_part() {
    std::string head =
        part_head(summary({}), *command_.part,
                  {index().records(), index().fm().segments, circular_, options_.by_file,
                   std::ranges::count(options_.circular, "all") == 0, regions_found_});
    frames_.seal(head);
    return head;
  }
  void write_end_of_part(const RunSummary& run) {
    std::string end = part_end(run);
    frames_.seal(end);
    out_->write(end);
    out_->write(frames_.finish());
  }

  /// While a GPU starts and the index is opened: reading one gzip file takes longest.
  void read_ahead() {
    if (in_memory() || options_.memory_limit.bytes != unlimited || !command_.cpu_work.empty() ||
        !may_start_gpu(options_.device.device))
      return;
    open_source(plan_query_memory({.threads = session_.threads, .batch_bytes = batch_bytes()}));
    source_->read_ahead(usual_read_ahead(session_.threads));
  }

  /// Shares out the memory that regions of so many bytes leave, and the hits that are chosen.
  void plan_beside(std::uint64_t regions) {
    if (regions != 0) regions += some_hits_bytes * static_cast<std::uint64_t>(session_.threads);
    SearchRun::plan(search_threads(), regions +
                                          (coverage_ == nullptr ? 0 : coverage_->bytes(index())) +
                                          (reads_text() ? joined_text_bytes(index()) : 0));
  }

  bool reads_text() const { return command_.reads_text || !options_.circular.empty(); }

  void open_source(const QueryMemory& memory) {
    ReaderOptions options = reading(memory);
    options.keep_qualities = options_.qualities;
    options.whole_header = options_.reading.whole_header;
    if (options_.adapts_batches()) options.size = &batch_size_.emplace(memory.batch_bytes);
    source_.emplace(options_.inputs, options, options_.tag_files);
  }

  void check_index(const Index& index) const {
    require_bases(index.alphabet(), options_);
    check_search(options_, index);
    if (options_.by_file) require_kept_files(index);
    check_outputs(options_, session_);
  }

  /// Whether packed bases are all that the search and the report read of queries.
  bool may_pack(const OpenedSearch& opened) const {
    return command_.needs_bases_only && opened.searcher && opened.searcher->takes_packed() &&
           !options_.palindromes_once() && options_.unmatched.empty() && !options_.qualities;
  }

  /// A thread stays awake while a GPU searches its batch exactly, so each needs a core; other
  /// searches take longer, and threads that sleep meanwhile leave their cores to others.
  int search_threads() const {
    const bool is_exact = !options_.with_mismatches() && !command_.finds_matches();
    return is_exact ? session_.threads : backend_->search_threads(session_.threads);
  }

  template <class MakeTask>
  void search_all(const OpenedSearch& opened, const MakeTask& make) {
    SearchProgress progress(session_, input_bytes());
    const NextBatch next = [&](RecordBatch& batch) {
      progress.finished(batch, source_->bytes_read());  // the batch that this thread took before
      const bool more = source_->next(batch);
      if (more) {
        progress.began(batch);
        ++batches_;
      }
      return more;
    };
    // The searcher may be the CPU's, where the GPU could not open one.
    const int threads = std::min(memory_.threads, search_threads());
    if (batch_size_) batch_size_->start_small();  // but for what has been read ahead
    std::function<void(std::string&)> seal;
    if (command_.part) seal = [this](std::string& text) { frames_.seal(text); };
    run_pipeline({.searcher = opened.searcher.get(),
                  .alphabet = opened.mismatches ? nullptr : &alphabet_,
                  .threads = threads,
                  .times = &times_,
                  .piece_bytes = memory_.piece_bytes,
                  .path = path_,
                  .overlaps = memory_.overlaps && source_->is_quick(),
                  .batch_size = batch_size_ ? &*batch_size_ : nullptr,
                  .seal = seal},
                 next, *out_, make);
    progress.finished_all();
  }

  /// Writes what waits for the last query. Of a run that is not complete, sorted lines only.
  void write_collected(bool complete) {
    if (coverage_ != nullptr && complete)
      coverage_->write(*out_, options_.memory_limit.bytes, session_);
    if (!sorter_) return;
    session_.report("sorting hits", -1);
    sorter_->write(*out_);
  }

  const QueryCommand& command_;
  CoverageOutput* coverage_;
  std::optional<BatchSize> batch_size_;
  std::atomic<std::uint64_t> batches_{0};
  std::optional<QuerySource> source_;
  Alphabet alphabet_;                    ///< of the queries
  std::vector<std::uint64_t> circular_;  ///< records
  std::optional<TextRegions> regions_;   ///< whose hits are kept
  PartRegions regions_found_;            ///< as they were read
  std::optional<LineSorter> sorter_;
  std::optional<QueryResults> results_;
  PartFrames frames_;  ///< of a partial result
};

}  // namespace

QueryFigures run_queries(QueryOptions& options, Session& session, const QueryCommand& command,
                         const MakeQueryTask& make_task) {
  QueryCommandRun run(options, session, command);
  run.open();
  run.plan();
  run.search(make_task);
  return run.finish();
}

}  // namespace gsx::app
