#include "query_run.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <new>
#include <optional>

#include "backend/registry.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/messages.hpp"
#include "base/out_of_memory.hpp"
#include "circular/circular_searcher.hpp"
#include "circular_option.hpp"
#include "cram_option.hpp"
#include "device_choice.hpp"
#include "environment.hpp"
#include "index_choice.hpp"
#include "io/output.hpp"
#include "io/output_place.hpp"
#include "numbers.hpp"
#include "open_index.hpp"
#include "option_kinds.hpp"
#include "process.hpp"
#include "query/query_memory.hpp"
#include "query_checks.hpp"
#include "reference.hpp"
#include "report/text_format.hpp"
#include "shards/joined_search.hpp"
#include "starting_backend.hpp"

namespace gsx::app {
namespace {

/// Whether the CPU answers the queries before a GPU is ready.
bool is_few(const QueryOptions& options, const std::vector<std::string>& files, const Index& index,
            int threads) {
  if (!options.with_mismatches()) return is_few_queries(files, index.file_bytes(), threads);
  return is_few_with_mismatches(options.inputs.patterns.size(), files, index.meta().length,
                                index.file_bytes(), threads);
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
  void finished_all() { session_.report("searching", 1, finished_, "queries"); }

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
void check_search(const QueryOptions& options, const std::vector<std::string>& patterns,
                  const Index& index) {
  if (!index.alphabet().has_reverse_complement() && options.strand == "rev") {
    throw UsageError("--strand rev needs a DNA index; this one is " +
                     std::string(name_of(index.alphabet().policy())));
  }
  if (options.with_mismatches()) {
    check_patterns(patterns, options.rules());
  } else {
    check_patterns(patterns, index.alphabet());
  }
}

/// What searches the index, across the origins of circular records too.
struct OpenedSearch {
  OpenedSearch(const QueryOptions& options, Backend& backend, const Index& index,
               const std::vector<std::uint64_t>& circular, const QueryMemory& memory,
               CpuPath path) {
    // Origins take the memory in which the index might be copied.
    SearchMemory others_memory = memory.search;
    if (!circular.empty()) others_memory.index_copy = 0;
    const JunctionOptions junctions{memory.threads, memory.search, memory.search.index_copy, path};
    const auto across = [&](auto opened) {
      if (circular.empty()) return opened;  // the text of shards need not be put together
      return with_origins(std::move(opened), index.text(), index.records(), circular, junctions);
    };
    if (options.with_mismatches()) {
      mismatch_searcher =
          across(open_mismatch_searcher(backend, index, memory.threads, others_memory));
      mismatches.emplace(
          MismatchSearch{*mismatch_searcher, options.rules(), {index.text(), options.iupac}});
    } else {
      searcher = across(open_searcher(backend, index, memory.threads, others_memory));
    }
  }

  std::unique_ptr<Searcher> searcher;  ///< of exact matches; or
  std::unique_ptr<MismatchSearcher> mismatch_searcher;
  std::optional<MismatchSearch> mismatches;
};

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

}  // namespace

std::uint64_t memory_of_index(const Index& index) {
  const SegmentsView segments = index.fm().segments;
  const std::uint64_t starts = segments.count + 1;
  const std::uint64_t first = (segments.length() >> segments.shift) + 2;
  const std::uint64_t tables = (starts + first) * sizeof(std::uint64_t);
  return tables + (index.is_mapped() ? 0 : index.file_bytes());
}

Strands QueryOptions::strands() const {
  if (strand == "fwd") return Strands::forward;
  if (strand == "rev") return Strands::reverse;
  return Strands::both;
}

std::string QueryOptions::as_json() const {
  if (!with_rules) return fmt::format("\"strand\":\"{}\",\"tag_files\":{}", strand, tag_files);
  std::string circles;
  for (const std::string& name : circular) {
    if (!circles.empty()) circles += ',';
    append_json_string(circles, name);
  }
  return fmt::format(
      "\"strand\":\"{}\",\"palindromes\":\"{}\",\"mismatches\":{},\"iupac\":{},\"circular\":[{}],"
      "\"tag_files\":{}",
      strand, palindromes, mismatches, iupac, circles, tag_files);
}

void add_query_inputs(CLI::App& command, QueryOptions& options) {
  add_texts(command, "QUERY", "FILE", options.inputs.files,
            std::string(sequence_formats) + "; - reads standard input. The first may be the index");
  add_index_option(command, options.index);
  add_reference_option(command, options);
  add_texts(command, "-p,--pattern", "PATTERN", options.inputs.patterns,
            "Search for PATTERN, which is also its own name; repeat -p for more patterns")
      ->group("Input");
  add_texts(command, "-f,--patterns", "FILE", options.inputs.pattern_files,
            "Read patterns from FILE, one per line: SEQUENCE or NAME<tab>SEQUENCE. Blank "
            "lines and lines that begin with # are skipped; - reads standard input; "
            "repeat -f for more files. Patterns of -p come first, then those of -f, then "
            "those of the QUERY files")
      ->group("Input");
  command
      .add_flag("--tag-files", options.tag_files,
                "Add /1 to the names of queries from the first QUERY file, /2 to those from "
                "the second, and so on")
      ->group("Input");
  add_cram_option(command, options.cram_reference);
}

void add_strand_option(CLI::App& command, QueryOptions& options) {
  add_choice(command, "--strand", options.strand, {"both", "fwd", "rev"},
             "DNA strands to search: both, fwd (the query as given) or rev (its reverse "
             "complement)",
             {{"plus", "fwd"},
              {"+", "fwd"},
              {"forward", "fwd"},
              {"minus", "rev"},
              {"-", "rev"},
              {"reverse", "rev"}})
      ->group("Search");
}

void add_query_outputs(CLI::App& command, QueryOptions& options, const char* found) {
  add_path(command, "-o,--output", options.output,
           "Write to FILE instead of standard output, as BGZF if the name ends in .gz "
           "or .bgz")
      ->group("Output");
  add_path(command, "--unmatched", options.unmatched,
           fmt::format("Write the queries without {} to FILE, as FASTA", found))
      ->group("Output");
  add_path(command, "--summary", options.summary,
           fmt::format("Write the numbers of queries and {} to FILE, as JSON", found))
      ->group("Output");
  command
      .add_flag("--no-header", options.no_header,
                "Leave out the header line, if the format has one")
      ->group("Output");
}

void add_query_resources(CLI::App& command, QueryOptions& options, const char* device) {
  add_number(command, "--batch", options.batch, {1, std::uint64_t{1} << 32},
             "Bytes of input whose queries a thread searches at a time; N below the length of a "
             "query saves no memory, and a small N costs much time")
      ->group("Tuning");
  add_memory_limit(
      command, options.memory_limit,
      "Allocate at most SIZE; pages of the index file and buffers of a GPU do not count "
      "(default: some tens of MB per thread)");
  add_device_options(command, options.device, device);
}

void add_query_options(CLI::App& command, QueryOptions& options) {
  add_query_inputs(command, options);
  add_strand_option(command, options);
  add_number(command, "-k,--mismatches", options.mismatches, {0, most_mismatches},
             "Find every place with at most K mismatches (Hamming distance). A letter of a query "
             "other than A, C, G, T and U is a mismatch everywhere. A place that includes a symbol "
             "of the target other than A, C, G and T is never found")
      ->group("Search");
  command
      .add_flag("--iupac", options.iupac,
                "Read the letters of queries as IUPAC codes: R matches A and G, N any base")
      ->group("Search");
  add_circular_option(command, options.circular, "places");
  add_choice(command, "--palindromes", options.palindromes, {"twice", "once"},
             "When both strands are searched, report a query that is its own reverse "
             "complement twice (on each strand) or once (on the forward strand)")
      ->group("Search");
  add_query_outputs(command, options);
  add_query_resources(command, options,
                      "; cuda:N,M,... and cuda:all share the queries among several");
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
  QueryInputs inputs = options.inputs;
  require_queries(inputs);
  const CpuPath path = cpu_path();
  devices_named(options.device.device);  // throws before anything is read
  if (!command.cpu_work.empty()) require_cpu(options.device.device, command.cpu_work);
  const bool in_memory = !options.references.empty();
  const std::string index_path =
      in_memory ? "" : choose_index(options.index, inputs.files, ArgumentKind::queries);
  require_queries(inputs);
  const std::vector<std::string> files = inputs.all_files();
  refuse_indexes(files);
  refuse_patterns_as_files(inputs.files);
  StageTimes times;
  QueryReading reading{.threads = session.threads,
                       .batch_bytes = options.batch,
                       .tag_files = options.tag_files,
                       .qualities = options.qualities,
                       .times = &times,
                       .path = path,
                       .decoding = {.cram = cram_references(options.cram_reference)}};
  std::optional<QuerySource> source;
  if (!in_memory && options.memory_limit.bytes == unlimited && command.cpu_work.empty() &&
      may_start_gpu(options.device.device)) {
    // While a GPU starts and the index is opened: reading one gzip file takes longest.
    source.emplace(inputs, reading);
    source->read_ahead(usual_read_ahead(session.threads));
  }
  const bool automatic = options.device.device == "auto";
  StartingBackend starting;
  if (!automatic) starting = StartingBackend(options.device, !in_memory, path);
  const Index index = starting.meanwhile([&] {
    return in_memory ? index_of_references(options, files, session)
                     : open_index(index_path, command.open ? IndexUse::whole : IndexUse::parts,
                                  session, options.device.device, options.memory_limit);
  });
  require_bases(index.alphabet(), options);
  const std::unique_ptr<Backend> backend =
      automatic ? automatic_backend(options, command, files, index, session.threads, path)
                : starting.get();
  check_search(options, inputs.patterns, index);
  require_kept_files(options, index);
  std::vector<std::string> read = files;
  read.insert(read.end(), options.references.begin(), options.references.end());
  if (!in_memory) read.push_back(index.path());
  check_outputs(options, read);
  const std::vector<std::uint64_t> circular =
      circular_records(index.records(), index.alphabet(), options.circular);
  CoverageOutput* const coverage = command.coverage;
  const std::uint64_t table_bytes =
      memory_of_index(index) + (coverage == nullptr ? 0 : coverage->bytes(index));
  const QueryMemory memory = plan_query_memory({.limit = options.memory_limit.bytes,
                                                .limited_by = options.memory_limit.given_by,
                                                .threads = backend->search_threads(session.threads),
                                                .batch_bytes = options.batch,
                                                .table_bytes = table_bytes,
                                                .sorts = options.sorted});
  std::optional<LineSorter> sorter;
  if (options.sorted) sorter.emplace(memory.sort_bytes, memory.threads, scratch_place());
  if (!source) {
    reading.threads = std::min(memory.threads, session.threads);
    reading.batch_bytes = memory.batch_bytes;
    reading.hands_over = memory.ample;
    reading.query_bytes = memory.query_bytes;
    reading.decoding.unpack_bytes = memory.unpack_bytes;
    reading.decoding.record_bytes = memory.record_bytes;
    source.emplace(std::move(inputs), reading);
  }
  if (index.alphabet().policy() != SymbolPolicy::bytes) source->refuse_fastq_in_fasta();
  const std::string header = command.header_of ? command.header_of(index) : command.header;
  Output out(options.output, options.binary ? Encoding::bgzf : encoding_for(options.output),
             std::min(memory.threads, session.threads));
  out.check_before_writing([&] { index.require_unchanged(); });
  const QueryTargets targets{index.records(), index.fm().segments, !circular.empty()};
  if (coverage != nullptr) coverage->open(index, targets);
  QueryResults results(index, options.unmatched, options.summary);
  const OpenedSearch opened(options, *backend, index, circular, memory, path);
  if (command.open) command.open(*backend, index, memory.threads, memory.search);
  session.used(*backend);
  if (!options.no_header) out.write(header);
  SearchProgress progress(session, bytes_of_files(files));
  const NextBatch next = [&](RecordBatch& batch) {
    progress.finished(batch, source->bytes_read());  // the batch that this thread took before
    const bool more = source->next(batch);
    if (more) progress.began(batch);
    return more;
  };
  const auto write_collected = [&](bool complete) {
    if (coverage != nullptr && complete) coverage->write(out, options.memory_limit.bytes, session);
    if (!sorter) return;
    session.report("sorting hits", -1);
    sorter->write(out);
  };
  const auto search = [&] {
    const QueryRun run{.request = {.strands = options.strands()},
                       .palindromes_once = options.palindromes_once(),
                       .tally = &results.tally(),
                       .mismatches = opened.mismatches ? &*opened.mismatches : nullptr,
                       .depths = coverage == nullptr ? nullptr : coverage->depths()};
    // The searcher may be the CPU's, where the GPU could not open one.
    const int threads = std::min(memory.threads, backend->search_threads(session.threads));
    run_pipeline(
        {opened.searcher.get(), index.alphabet(), threads, &times, memory.piece_bytes, path}, next,
        out, [&] { return make_task(run, targets, sorter ? &*sorter : nullptr); });
    progress.finished_all();
    write_collected(true);
  };
  run_search(options, memory, search, [&] {
    if (out.is_stream()) write_collected(false);  // a file will not appear
    out.flush();
  });
  session.used(*backend);
  index.require_unchanged();  // the side files come from it, too
  out.finish();               // what may fail comes before the first name appears
  if (coverage != nullptr) coverage->finish();
  if (command.finish) command.finish();
  results.finish(command.name, options.as_json() + command.options, options.with_rules);
  out.commit();
  if (coverage != nullptr) coverage->commit();
  if (command.commit) command.commit();
  results.commit();
  log_times(times, results.figures().queries);
  for (const std::string& file : source->empty_files())
    log().warn("{}: the file has no queries", file);
  if (options.with_mismatches()) results.report_left_out();
  results.report(command.found);
  return results.figures();
}

}  // namespace gsx::app
