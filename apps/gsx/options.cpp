#include "options.hpp"

#include <malloc.h>
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "backend/registry.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/machine.hpp"
#include "base/output.hpp"
#include "base/resources.hpp"
#include "device_choice.hpp"
#include "seq/sequence_reader.hpp"

namespace gsx::app {
namespace {

SymbolPolicy alphabet_named(const std::string& name) {
  if (name == "protein") return SymbolPolicy::protein;
  if (name == "bytes") return SymbolPolicy::bytes;
  return SymbolPolicy::dna;
}

void warn_of_duplicate_names(const Text& text) {
  const RecordsView records = text.records_view();
  std::vector<std::string_view> names(records.size());
  for (std::uint64_t r = 0; r < names.size(); ++r)
    names[r] = records.name(r);
  std::sort(names.begin(), names.end());
  const auto twin = std::adjacent_find(names.begin(), names.end());
  if (twin != names.end()) {
    log().warn("several records have the name '{}'; results cannot tell them apart",
               shown_name(*twin));
  }
}

void log_contents(const Text& text) {
  const SymbolCounts& counts = text.counts;
  log().info("{} records, {} symbols in {} segments ({})", text.records.size(),
             text.length() - text.segment_offsets.size(), text.segment_offsets.size(),
             name_of(text.alphabet.policy()));
  if (counts.ambiguous() > 0) {
    log().info("not A C G T, kept out of the text: {} N, {} IUPAC codes, {} gaps, {} others",
               counts.n, counts.iupac, counts.gap, counts.other);
  }
  if (text.literals.size() > 0) {
    log().info("soft-masked, kept out of the text: {} bases", text.literals.size());
  }
}

/// Patterns from the command line as one batch, then the files.
class QuerySource {
 public:
  QuerySource(const QueryOptions& options, const Session& session, StageTimes* times)
      : patterns_(options.patterns), patterns_given_(patterns_.empty()) {
    if (options.files.empty()) return;
    reader_.emplace(options.files, ReaderOptions{.threads = session.threads,
                                                 .block_bytes = options.batch,
                                                 .split_records = false,
                                                 .first_number = patterns_.empty() ? 0u : 1u,
                                                 .times = times});
  }

  /// As NextBatch says.
  bool next(RecordBatch& batch) {
    if (patterns_given_.exchange(true)) return reader_ && reader_->next(batch);
    batch.clear();
    for (const std::string& pattern : patterns_) {
      batch.begin_record(pattern, "");
      batch.append(pattern);
    }
    return true;
  }

 private:
  std::vector<std::string> patterns_;
  std::atomic<bool> patterns_given_;
  std::optional<SequenceReader> reader_;
};

}  // namespace

void add_session_options(CLI::App& command, Session& session) {
  command.add_option("-t,--threads", session.threads, "Threads; 0 takes all cores")
      ->check(CLI::Range(0, 4096))
      ->capture_default_str();
  command.add_flag("-q,--quiet", session.quiet, "Log errors only");
  command.add_flag("-v,--verbose", session.verbosity, "Log more");
  command
      .add_option("--progress", session.progress_mode,
                  "Progress on standard error: auto (a bar on a terminal), none, bar or json")
      ->check(CLI::IsMember({"auto", "none", "bar", "json"}))
      ->capture_default_str();
}

std::unique_ptr<Backend> DeviceOptions::make() const {
  return make_backend(device, gpu_memory);
}

CLI::Option* add_device_options(CLI::App& command, DeviceOptions& options) {
  command
      .add_option("--gpu-memory", options.gpu_memory,
                  "Most GPU memory to hold at a time, such as 8GB; work that takes more is split "
                  "[all that is free]")
      ->transform(CLI::AsSizeValue(false))
      ->envname("GSX_GPU_MEMORY");
  return command
      .add_option("--device", options.device,
                  "Where to compute: auto (a GPU when one is usable, and worth starting for the "
                  "queries, else the CPU), cpu, cuda, cuda:N, or cuda:N,M,... or cuda:all, which "
                  "share count and locate")
      ->capture_default_str();
}

void add_input_options(CLI::App& command, InputOptions& options) {
  command
      .add_option("FILE", options.files, "FASTA or FASTQ, plain, gzip or BGZF; - is standard input")
      ->required();
  command
      .add_option(
          "--alphabet", options.alphabet,
          "Symbols: dna (A C G T, U is T), protein, bytes (any), or auto (dna or protein by "
          "the first records)")
      ->check(CLI::IsMember({"auto", "dna", "protein", "bytes"}))
      ->capture_default_str();
  command
      .add_option(
          "--ambiguous", options.ambiguous,
          "DNA symbols other than A C G T: split (kept for extract, match nothing) or error")
      ->check(CLI::IsMember({"split", "error"}))
      ->capture_default_str();
  command
      .add_option("--soft-mask", options.soft_mask,
                  "Lower-case DNA: fold (as upper case) or split (kept for extract, matches "
                  "nothing)")
      ->check(CLI::IsMember({"fold", "split"}))
      ->capture_default_str();
  command.add_option("--batch", options.batch, "Bytes of input that a thread takes at a time")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 32))
      ->capture_default_str()
      ->group("Tuning");
  command
      .add_option("--memory-limit", options.memory_limit,
                  "Most host memory of the run, such as 8GB; a suffix array that does not fit is "
                  "built in blocks [what is free, or what ulimit or the control group allows]")
      ->transform(CLI::AsSizeValue(false))
      ->envname("GSX_MEMORY_LIMIT");
  command.add_flag("--wide", options.wide, "64-bit positions although 32 bits suffice")
      ->group("Tuning");
}

Text read_input(const InputOptions& options, Session& session) {
  ReadTextOptions read;
  read.text.alphabet = alphabet_named(options.alphabet);
  read.text.ambiguous =
      options.ambiguous == "error" ? AmbiguousPolicy::error : AmbiguousPolicy::split;
  read.text.soft_mask = options.soft_mask == "split" ? SoftMaskPolicy::split : SoftMaskPolicy::fold;
  read.guess = options.alphabet == "auto";
  read.threads = session.threads;
  read.block_bytes = options.batch;
  const Stopwatch watch;
  Text text = read_text(options.files, read, session.progress());
  log_contents(text);
  log().debug("read in {:.3f} s", watch.seconds());
  warn_of_duplicate_names(text);
  return text;
}

BuildOptions build_options(const InputOptions& options, Session& session) {
  BuildOptions build;
  build.threads = session.threads;
  build.width = options.width();
  build.progress = session.progress();
  malloc_trim(0);  // what reading has freed
  const MachineFacts facts = machine_facts();
  const MemoryRoom room = memory_room(facts, session.threads);
  const std::uint64_t used = facts.resident, peak = peak_host_bytes();
  build.memory = {room.bytes, used, peak, room.limited_by, room.firm};
  const bool given = options.memory_limit != unlimited;
  if (given && (options.memory_limit < room.bytes || !room.firm)) {
    build.memory = {options.memory_limit, used, peak, "--memory-limit", true};
  }
  return build;
}

void refuse_overwriting(const std::string& output, const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs) {
    std::error_code error;
    if (std::filesystem::is_regular_file(output, error) &&
        std::filesystem::equivalent(output, input, error)) {
      throw UsageError("the output would replace the input '" + printable(input) + "'");
    }
  }
}

Strands QueryOptions::strands() const {
  if (strand == "fwd") return Strands::forward;
  if (strand == "rev") return Strands::reverse;
  return Strands::both;
}

void add_query_options(CLI::App& command, QueryOptions& options) {
  command.add_option("QUERY", options.files,
                     "FASTA or FASTQ, plain, gzip or BGZF; - is standard input");
  command
      .add_option("-p,--pattern", options.patterns,
                  "A pattern itself, its own name; may be repeated")
      ->allow_extra_args(false);
  command.add_option("-x,--index", options.index,
                     "Index; else $GSX_INDEX, else the only *.gsx of this folder");
  command.add_option("-o,--output", options.output, "Output file instead of standard output");
  command
      .add_option("--strand", options.strand,
                  "DNA strands to search: both, fwd (as given) or rev (reverse complement)")
      ->check(CLI::IsMember({"both", "fwd", "rev"}))
      ->capture_default_str();
  command.add_flag("--no-header", options.no_header, "No header line");
  command
      .add_option("--batch", options.batch,
                  "Bytes of input whose queries a thread searches at a time")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 32))
      ->capture_default_str()
      ->group("Tuning");
  add_device_options(command, options.device);
}

std::string find_index(const std::string& path) {
  if (!path.empty()) return path;
  if (const char* named = std::getenv("GSX_INDEX"); named != nullptr && *named != '\0') {
    log().info("index: {} (from $GSX_INDEX)", printable(named));
    return named;
  }
  std::vector<std::string> found;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(".", error)) {
    if (entry.path().extension() == ".gsx") found.push_back(entry.path().filename().string());
  }
  if (found.size() == 1) {
    log().info("index: {} (the only *.gsx here)", printable(found[0]));
    return found[0];
  }
  throw UsageError(found.empty()
                       ? "no index: name one with -x or $GSX_INDEX (this folder has no *.gsx)"
                       : "which index? This folder has " + std::to_string(found.size()) +
                             " *.gsx; name one with -x or $GSX_INDEX");
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
  Output out(options.output);
  const std::unique_ptr<Searcher> searcher = backend->open(index, session.threads);
  session.used(*backend);
  if (!options.no_header) out.write(header);
  StageTimes times;
  QuerySource source(options, session, &times);
  std::atomic<std::uint64_t> queries{0};
  const NextBatch next = [&](RecordBatch& batch) {
    const bool more = source.next(batch);
    if (more) queries.fetch_add(batch.size(), std::memory_order_relaxed);
    return more;
  };
  try {
    run_pipeline({*searcher, index.alphabet(), session.threads, &times}, next, out,
                 [&] { return make_task(index); });
  } catch (const InputError&) {
    out.flush();  // what the queries before the bad one have found
    throw;
  }
  session.used(*backend);
  out.commit();
  log_times(times, queries);
}

}  // namespace gsx::app
