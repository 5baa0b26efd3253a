#include "query_run.hpp"

#include <spdlog/fmt/fmt.h>

#include <atomic>
#include <new>
#include <optional>

#include "backend/registry.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/out_of_memory.hpp"
#include "base/output.hpp"
#include "device_choice.hpp"
#include "index_choice.hpp"
#include "numbers.hpp"
#include "query/query_memory.hpp"
#include "seq/sequence_reader.hpp"

namespace gsx::app {
namespace {

/// Patterns from the command line as one batch, then the files.
class QuerySource {
 public:
  QuerySource(const QueryOptions& options, const QueryMemory& memory, StageTimes* times)
      : patterns_(options.patterns), patterns_given_(patterns_.empty()), most_(memory.query_bytes) {
    if (options.files.empty()) return;
    reader_.emplace(options.files, ReaderOptions{.threads = memory.threads,
                                                 .block_bytes = memory.batch_bytes,
                                                 .split_records = false,
                                                 .first_number = patterns_.empty() ? 0u : 1u,
                                                 .times = times});
  }

  /// As NextBatch says.
  bool next(RecordBatch& batch) {
    if (patterns_given_.exchange(true)) {
      if (!reader_ || !reader_->next(batch)) return false;
      refuse_long(batch);
      return true;
    }
    batch.clear();
    for (const std::string& pattern : patterns_) {
      batch.begin_record(pattern, "");
      batch.append(pattern);
    }
    return true;
  }

 private:
  void refuse_long(const RecordBatch& batch) const {
    if (batch.symbols.size() <= most_) return;
    std::size_t longest = 0;
    for (std::size_t i = 1; i < batch.size(); ++i)
      if (batch.length(i) > batch.length(longest)) longest = i;
    if (batch.length(longest) <= most_) return;
    throw OutOfMemoryError("too little memory for the query '" + shown_name(batch.name(longest)) +
                           "' of " + std::to_string(batch.length(longest)) + " symbols");
  }

  std::vector<std::string> patterns_;
  std::atomic<bool> patterns_given_;
  std::uint64_t most_;  ///< symbols of a query
  std::optional<SequenceReader> reader_;
};

/// What an open index holds in memory: the segment table. All else is in the mapped file.
std::uint64_t table_bytes(const Index& index) {
  const SegmentsView segments = index.text().segments;
  const std::uint64_t starts = segments.count + 1;
  const std::uint64_t first = (segments.length() >> segments.shift) + 2;
  return (starts + first) * sizeof(std::uint64_t);
}

}  // namespace

Strands QueryOptions::strands() const {
  if (strand == "fwd") return Strands::forward;
  if (strand == "rev") return Strands::reverse;
  return Strands::both;
}

void add_query_options(CLI::App& command, QueryOptions& options) {
  add_texts(command, "QUERY", "FILE", options.files,
            "FASTA or FASTQ, plain, gzip or BGZF; - is standard input");
  add_path(command, "-x,--index", options.index,
           "Index (default: $GSX_INDEX, else the only *.gsx of this folder)")
      ->group("Input");
  add_texts(command, "-p,--pattern", "PATTERN", options.patterns,
            "Search for PATTERN, which is its own name; repeat -p for each further pattern")
      ->group("Input");
  add_choice(command, "--strand", options.strand, {"both", "fwd", "rev"},
             "DNA strands to search: both, fwd (as given) or rev (reverse complement)",
             {{"plus", "fwd"},
              {"+", "fwd"},
              {"forward", "fwd"},
              {"minus", "rev"},
              {"-", "rev"},
              {"reverse", "rev"}})
      ->group("Search");
  add_path(command, "-o,--output", options.output, "Write to FILE instead of standard output")
      ->group("Output");
  command.add_flag("--no-header", options.no_header, "No header line")->group("Output");
  add_number(command, "--batch", options.batch, {1, std::uint64_t{1} << 32},
             "Bytes of input whose queries a thread searches at a time")
      ->group("Tuning");
  add_size(command, "--memory-limit", options.memory_limit,
           "Most memory to allocate; pages of the index file do not count [a few 10 MB per thread]")
      ->envname("GSX_MEMORY_LIMIT");
  add_device_options(command, options.device);
}

void log_times(const StageTimes& times, std::uint64_t queries) {
  std::string line;
  for (std::size_t i = 0; i < stage_names.size(); ++i) {
    const double seconds = times.seconds(static_cast<Stage>(i));
    line += fmt::format("{}{} {:.3f} s", i == 0 ? "" : ", ", stage_names[i], seconds);
    if (queries != 0)
      line += fmt::format(" ({:.0f} ns a query)", seconds * 1e9 / static_cast<double>(queries));
  }
  log().debug("{} queries, thread time: {}", queries, line);
}

void run_queries(const QueryOptions& options, Session& session, const std::string& header,
                 const MakeQueryTask& make_task) {
  if (options.files.empty() && options.patterns.empty()) {
    throw UsageError("no queries: name a FASTA or FASTQ file, - for standard input, or -p PATTERN");
  }
  const bool automatic = options.device.device == "auto";
  std::unique_ptr<Backend> backend = automatic ? nullptr : options.device.make();
  const Index index = Index::open(find_index(options.index), session.threads);
  if (automatic && is_few_queries(options.files, index.file_bytes(), session.threads)) {
    log().debug("using the CPU: there are few queries");
    backend = make_cpu_backend();
  } else if (automatic) {
    backend = options.device.make();
  }
  if (!index.alphabet().has_reverse_complement() && options.strand == "rev") {
    throw UsageError("--strand rev needs a DNA index; this one is " +
                     std::string(name_of(index.alphabet().policy())));
  }
  refuse_overwriting(options.output, options.files);
  refuse_overwriting(options.output, {index.path()});
  const QueryMemory memory = plan_query_memory({.limit = options.memory_limit,
                                                .threads = session.threads,
                                                .batch_bytes = options.batch,
                                                .table_bytes = table_bytes(index),
                                                .sorts = options.sorted});
  std::optional<LineSorter> sorter;
  if (options.sorted) sorter.emplace(memory.sort_bytes, memory.threads);
  Output out(options.output);
  out.check_before_writing([&] { index.require_unchanged(); });
  const std::unique_ptr<Searcher> searcher = backend->open(index, memory.threads, memory.search);
  session.used(*backend);
  if (!options.no_header) out.write(header);
  StageTimes times;
  QuerySource source(options, memory, &times);
  std::atomic<std::uint64_t> queries{0};
  const NextBatch next = [&](RecordBatch& batch) {
    const bool more = source.next(batch);
    if (more) queries.fetch_add(batch.size(), std::memory_order_relaxed);
    return more;
  };
  try {
    run_pipeline({*searcher, index.alphabet(), memory.threads, &times, memory.piece_bytes}, next,
                 out, [&] { return make_task(index, sorter ? &*sorter : nullptr); });
    if (sorter) sorter->write(out);
  } catch (const OutOfMemoryError& error) {
    throw ResourceError(std::string(error.what()) + "; see " + options.memory_cure);
  } catch (const std::bad_alloc&) {
    throw ResourceError(std::string("out of memory while reading queries; see ") +
                        options.memory_cure);
  } catch (const InputError&) {
    out.flush();  // what the queries before the bad one have found
    throw;
  }
  session.used(*backend);
  out.commit();
  log_times(times, queries);
}

}  // namespace gsx::app
