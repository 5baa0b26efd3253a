#include "queries/query_run.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <atomic>
#include <new>
#include <optional>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/messages.hpp"
#include "base/out_of_memory.hpp"
#include "bytes/output.hpp"
#include "bytes/output_place.hpp"
#include "bytes/removal.hpp"
#include "device/registry.hpp"
#include "inputs/index_choice.hpp"
#include "inputs/input_options.hpp"
#include "inputs/open_index.hpp"
#include "inputs/reference.hpp"
#include "options/circular_option.hpp"
#include "options/cram_option.hpp"
#include "options/named_once.hpp"
#include "options/numbers.hpp"
#include "options/starting_backend.hpp"
#include "process/device_choice.hpp"
#include "process/environment.hpp"
#include "process/process.hpp"
#include "queries/opened_search.hpp"
#include "queries/query_checks.hpp"
#include "queries/search_progress.hpp"
#include "run/query_memory.hpp"
#include "search/exact/strand_check.hpp"

namespace gsx::app {
namespace {

/// Whether the CPU answers the queries before a GPU is ready.
bool is_few(const QueryOptions& options, const std::vector<std::string>& files, const Index& index,
            int threads) {
  if (!options.with_mismatches()) return is_few_queries(files, index.file_bytes(), threads);
  return is_few_with_mismatches(options.inputs.patterns.size(), files, index.meta().length,
                                index.file_bytes(), threads);
}

/// The back end that `auto` means for these queries.
std::unique_ptr<Backend> automatic_backend(const QueryOptions& options, const QueryCommand& command,
                                           const std::vector<std::string>& files,
                                           const Index& index, int threads, CpuPath path) {
  if (!command.cpu_work.empty()) {
    log().debug("using the CPU: {} on it only", command.cpu_work);
    return make_cpu_backend(path);
  }
  if (is_few(options, files, index, threads)) {
    log().debug("using the CPU: there are few queries");
    return make_cpu_backend(path);
  }
  return options.device.for_run(options.memory_limit).make(path);
}

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

/// Runs a search. What lacks memory says how to get it. `write_rest` writes what was found before
/// bad input.
template <class Search, class WriteRest>
void run_search(const QueryOptions& options, const QueryMemory& memory, const Search& search,
                const WriteRest& write_rest) {
  try {
    search();
  } catch (const LongQueryError& error) {
    throw ResourceError(std::string(error.what()) + "; raise --memory-limit" +
                        (memory.threads > 1 ? ", or lower --threads" : ""));
  } catch (const OutOfMemoryError& error) {
    throw ResourceError(std::string(error.what()) + "; see " + options.memory_cure);
  } catch (const std::bad_alloc&) {
    throw ResourceError(std::string("out of memory while reading queries; see ") +
                        options.memory_cure);
  } catch (const InputError&) {
    write_rest();
    throw;
  }
}

/// Call open(), plan(), search() and finish(), once each and in this order.
class QueryCommandRun {
 public:
  /// Refuses what can be refused before anything is opened.
  QueryCommandRun(const QueryOptions& options, Session& session, const QueryCommand& command)
      : options_(options),
        session_(session),
        command_(command),
        coverage_(command.coverage),
        inputs_(options.inputs),
        path_(cpu_path()) {
    require_queries(inputs_);
    devices_named(options.device.device);  // throws before anything is read
    if (!command.cpu_work.empty()) require_cpu(options.device.device, command.cpu_work);
    if (!in_memory())
      index_path_ = choose_index(options.index, inputs_.files, ArgumentKind::queries);
    require_queries(inputs_);
    files_ = inputs_.all_files();
    refuse_indexes(files_, one_index_per_run);
    refuse_patterns_as_files(inputs_.files);
    require_files(files_);
    if (command.coverage != nullptr) {
      require_each_once(files_, "its hits would count twice");
    } else {
      warn_of_named_twice(files_, "its queries are searched, and counted, twice");
    }
    session.files.reads(files_);
    reading_ = {.threads = session.threads,
                .batch_bytes = batch_bytes(),
                .tag_files = options.tag_files,
                .qualities = options.qualities,
                .whole_header = options.reading.whole_header,
                .times = &times_,
                .path = path_,
                .decoding = {.cram = cram_references(options.reading.cram_reference),
                             .allow_no_eof = true}};
  }

  /// Opens the index and the back end, and checks the options against the index.
  void open() {
    read_ahead();
    const bool automatic = options_.device.device == "auto";
    StartingBackend starting;
    if (!automatic) starting = StartingBackend(options_.device, !in_memory(), path_);
    index_.emplace(starting.meanwhile([this] { return open_index_to_search(); }));
    if (in_memory()) check_index(*index_);
    backend_ = automatic
                   ? automatic_backend(options_, command_, files_, *index_, session_.threads, path_)
                   : starting.get();
    circular_ = circular_records(index_->records(), index_->alphabet(), options_.circular);
  }

  /// Shares out the memory, and begins to read unless open() has.
  void plan() {
    memory_ =
        plan_query_memory({.limit = options_.memory_limit.bytes,
                           .limited_by = options_.memory_limit.given_by,
                           .threads = search_threads(),
                           .batch_bytes = batch_bytes(),
                           .table_bytes = memory_of_index(*index_) +
                                          (coverage_ == nullptr ? 0 : coverage_->bytes(*index_)),
                           .sorts = options_.sorted});
    if (options_.sorted) sorter_.emplace(memory_.sort_bytes, memory_.threads, scratch_place());
    if (!source_) {
      reading_.threads = std::min(memory_.threads, session_.threads);
      reading_.batch_bytes = memory_.batch_bytes;
      reading_.hands_over = memory_.ample;
      reading_.query_bytes = memory_.query_bytes;
      reading_.decoding.unpack_bytes = memory_.unpack_bytes;
      reading_.decoding.record_bytes = memory_.record_bytes;
      open_source(std::move(inputs_));
    }
    if (index_->alphabet().policy() != SymbolPolicy::bytes)
      source_->refuse_fastq_in_fasta();
    else
      source_->take_any_symbols();
  }

  /// Opens the outputs and the search, and writes what it finds.
  void search(const MakeQueryTask& make_task) {
    const std::string header = command_.header_of ? command_.header_of(*index_) : command_.header;
    out_.emplace(options_.output, options_.binary ? Encoding::bgzf : encoding_for(options_.output),
                 std::min(memory_.threads, session_.threads));
    out_->check_before_writing([this] { index_->require_unchanged(); });
    const QueryTargets targets{index_->records(), index_->fm().segments, !circular_.empty()};
    if (coverage_ != nullptr) coverage_->open(*index_, targets);
    alphabet_ = options_.equal.applied_to(index_->alphabet());
    results_.emplace(*index_, alphabet_, options_.unmatched, options_.summary);
    const OpenedSearch opened(options_, *backend_, *index_, circular_, memory_, path_);
    if (command_.open) command_.open(*backend_, *index_, memory_.threads, memory_.search);
    session_.used(*backend_);
    if (may_pack(opened)) source_->pack_bases();
    if (!options_.no_header) out_->write(header);
    const QueryRun run{.request = {.strands = options_.strands()},
                       .palindromes_once = options_.palindromes_once(),
                       .tally = &results_->tally(),
                       .mismatches = opened.mismatches ? &*opened.mismatches : nullptr,
                       .depths = coverage_ == nullptr ? nullptr : coverage_->depths()};
    const auto make = [&] { return make_task(run, targets, sorter_ ? &*sorter_ : nullptr); };
    run_search(
        options_, memory_,
        [&] {
          search_all(opened, make);
          write_collected(true);
        },
        [&] {
          if (out_->is_stream()) write_collected(false);  // a file will not appear
          out_->flush();
        });
    session_.used(*backend_);
  }

  /// Gives the outputs their names, and reports.
  QueryFigures finish() {
    index_->require_unchanged();  // the side files come from it, too
    out_->finish();               // what may fail comes before the first name appears
    if (coverage_ != nullptr) coverage_->finish();
    if (command_.finish) command_.finish();
    results_->finish(summary(), options_.with_rules);
    commit();
    log_times(times_, results_->figures().queries);
    log().debug("{} batches", batches_.load());
    for (const std::string& note : source_->list_notes())
      log().info("{}", note);
    for (const std::string& file : source_->empty_files())
      log().warn("{}: the file has no queries", file);
    if (options_.with_mismatches()) results_->report_left_out();
    results_->report(command_.found);
    return results_->figures();
  }

 private:
  bool in_memory() const { return !options_.references.empty(); }
  std::uint64_t batch_bytes() const {
    return options_.batch_for(bytes_of_files(files_), session_.threads);
  }

  /// A signal waits until all outputs have their names, for a second at most.
  void commit() {
    const SignalsHeld held;
    out_->commit();
    if (coverage_ != nullptr) coverage_->commit();
    if (command_.commit) command_.commit();
    results_->commit();
  }

  /// What the summary says but for its figures.
  RunSummary summary() const {
    RunSummary run{.version = GSX_VERSION, .command = command_.name, .options = options_.as_json()};
    run.options.insert(run.options.end(), command_.options.begin(), command_.options.end());
    add_input(run, *index_, options_.references, files_);
    return run;
  }

  /// While a GPU starts and the index is opened: reading one gzip file takes longest.
  void read_ahead() {
    if (in_memory() || options_.memory_limit.bytes != unlimited || !command_.cpu_work.empty() ||
        !may_start_gpu(options_.device.device))
      return;
    open_source(inputs_);
    source_->read_ahead(usual_read_ahead(session_.threads));
  }

  void open_source(QueryInputs inputs) {
    if (options_.adapts_batches()) reading_.batch_size = &batch_size_.emplace(reading_.batch_bytes);
    source_.emplace(std::move(inputs), reading_);
  }

  Index open_index_to_search() {
    if (in_memory()) return index_of_references(options_, files_, session_);
    return open_index(index_path_, command_.open ? IndexUse::whole : IndexUse::parts, session_,
                      {.device = options_.device.device,
                       .memory_limit = options_.memory_limit,
                       .check = [this](const Index& index) {
                         check_index(index);
                         check_outputs(options_, session_);
                       }});
  }

  void check_index(const Index& index) const {
    require_bases(index.alphabet(), options_);
    check_search(options_, index);
    require_kept_files(options_, index);
  }

  /// Whether packed bases are all that the search and the report read of queries.
  bool may_pack(const OpenedSearch& opened) const {
    return command_.needs_bases_only && opened.searcher && opened.searcher->takes_packed() &&
           !options_.palindromes_once() && options_.unmatched.empty() && !options_.qualities;
  }

  /// A thread stays awake while a GPU searches its batch exactly, so each needs a core; other
  /// searches take longer, and threads that sleep meanwhile leave their cores to others.
  int search_threads() const {
    const bool is_exact = !options_.with_mismatches() && !command_.open;
    return is_exact ? session_.threads : backend_->search_threads(session_.threads);
  }

  template <class MakeTask>
  void search_all(const OpenedSearch& opened, const MakeTask& make) {
    SearchProgress progress(session_, bytes_of_files(files_));
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
    run_pipeline({.searcher = opened.searcher.get(),
                  .alphabet = alphabet_,
                  .threads = threads,
                  .times = &times_,
                  .piece_bytes = memory_.piece_bytes,
                  .path = path_,
                  .overlaps = memory_.overlaps && source_->is_quick(),
                  .batch_size = batch_size_ ? &*batch_size_ : nullptr},
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

  const QueryOptions& options_;
  Session& session_;
  const QueryCommand& command_;
  CoverageOutput* coverage_;
  QueryInputs inputs_;
  CpuPath path_;
  std::string index_path_;          ///< unless references are indexed in memory
  std::vector<std::string> files_;  ///< with queries
  StageTimes times_;
  QueryReading reading_;
  std::optional<BatchSize> batch_size_;
  std::atomic<std::uint64_t> batches_{0};
  std::optional<QuerySource> source_;
  std::optional<Index> index_;
  Alphabet alphabet_;  ///< of the queries
  std::unique_ptr<Backend> backend_;
  std::vector<std::uint64_t> circular_;  ///< records
  QueryMemory memory_;
  std::optional<LineSorter> sorter_;
  std::optional<Output> out_;
  std::optional<QueryResults> results_;
};

}  // namespace

std::uint64_t memory_of_index(const Index& index) {
  const SegmentsView segments = index.fm().segments;
  const std::uint64_t starts = segments.count + 1;
  const std::uint64_t first = (segments.length() >> segments.shift) + 2;
  const std::uint64_t tables = (starts + first) * sizeof(std::uint64_t);
  return tables + (index.is_mapped() ? 0 : index.file_bytes());
}

void log_times(const StageTimes& times, std::uint64_t queries) {
  std::string line;
  for (std::size_t i = 0; i < stage_names.size(); ++i) {
    const double seconds = times.seconds(static_cast<Stage>(i));
    line += fmt::format("{}{} {:.3f} s", i == 0 ? "" : ", ", stage_names[i], seconds);
    if (queries != 0)
      line += fmt::format(" ({:.0f} ns per query)", seconds * 1e9 / static_cast<double>(queries));
  }
  log().debug("{} queries, thread time: {}", queries, line);
}

QueryFigures run_queries(const QueryOptions& options, Session& session, const QueryCommand& command,
                         const MakeQueryTask& make_task) {
  QueryCommandRun run(options, session, command);
  run.open();
  run.plan();
  run.search(make_task);
  return run.finish();
}

}  // namespace gsx::app
