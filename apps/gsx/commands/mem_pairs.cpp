#include "commands/mem_pairs.hpp"

#include <spdlog/fmt/fmt.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/memory_limit.hpp"
#include "base/messages.hpp"
#include "base/resources.hpp"
#include "device/cost.hpp"
#include "device/registry.hpp"
#include "inputs/by_file_option.hpp"
#include "inputs/indexed_text.hpp"
#include "inputs/input_options.hpp"
#include "inputs/open_index.hpp"
#include "options/cram_option.hpp"
#include "options/named_once.hpp"
#include "options/option_kinds.hpp"
#include "options/starting_backend.hpp"
#include "process/input_bytes.hpp"
#include "process/process.hpp"
#include "queries/command_run.hpp"
#include "queries/query_checks.hpp"
#include "records/reading_bounds.hpp"
#include "run/pair_run.hpp"
#include "run/target.hpp"
#include "search/exact/strand_check.hpp"

namespace gsx::app {
namespace {

using Names = std::initializer_list<const char*>;

/// Options that do not go with --pairs, by what the message says.
constexpr Names every_place = {"--places", "--max-hits", "--min-occ", "--max-occ"};
constexpr Names other_formats = {"--coverage", "--bed", "--fastmap"};
constexpr Names other_queries = {"--pattern", "--patterns"};
constexpr Names other_files = {"--tag-files", "--unmatched", "--summary", "--batch"};
/// Options that need --pairs.
constexpr Names of_pairs = {"--mum", "--mum-ref", "--unique-both-strands", "--mummer"};

/// "A, B and C"
std::string list_of(std::initializer_list<Names> lists) {
  std::vector<std::string> names;
  for (const Names list : lists)
    names.insert(names.end(), list.begin(), list.end());
  return fmt::format("{} and {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

/// Bytes of queries that are read at a time.
constexpr std::uint64_t block_bytes = std::uint64_t{1} << 20;
/// Symbols of queries that are searched together, unless one query has more.
constexpr std::uint64_t queries_at_once = std::uint64_t{1} << 26;

PairUniqueness uniqueness(const PairOptions& options) {
  if (options.both_strands) return PairUniqueness::both_strands;
  if (options.mum) return PairUniqueness::both;
  return options.mum_reference ? PairUniqueness::target : PairUniqueness::none;
}

/// Where the target and the queries are.
struct PairFiles : TargetOptions {
  std::vector<std::string> queries;

  std::vector<std::string> sequences() const {
    std::vector<std::string> all = references;
    all.insert(all.end(), queries.begin(), queries.end());
    return all;
  }
};

PairFiles choose_files(const QueryOptions& query) {
  PairFiles files{query, query.inputs.files};
  const bool is_named = files.in_memory() || !files.index.empty();
  if (files.queries.size() > (is_named ? 0 : 1)) {
    choose_target(files, files.queries, ArgumentKind::pairs);
  } else {
    throw UsageError(
        "--pairs needs a target and queries: name two FASTA files, the target first; or name the "
        "target by -x INDEX or -r FASTA, and then the queries");
  }
  refuse_indexes(files.queries, one_index_per_run);
  refuse_empty_names(files.sequences());
  require_one_standard_input(files.sequences());
  warn_of_named_twice(files.queries, "its queries are searched twice");
  return files;
}

/// Whether all are regular files. Reading a pipe may take as long as its writer likes.
bool are_regular(const std::vector<std::string>& files) {
  return std::ranges::all_of(files, [](const std::string& file) {
    std::error_code none;
    return std::filesystem::is_regular_file(file, none);
  });
}

/// What reading the queries may hold at once. A header has to fit what the target leaves.
ReadingBounds bounds_of_queries(const SizeLimit& limit) {
  ReadingBounds bounds = reading_bounds(limit.bytes);
  if (limit.bytes == unlimited) return bounds;
  const std::uint64_t left = limit.bytes - std::min(limit.bytes, resident_bytes());
  bounds.header_bytes = reading_bounds(left).header_bytes;
  return bounds;
}

/// Text that a thread may hold where no limit is set.
constexpr std::size_t unlimited_piece_bytes = std::size_t{32} << 20;
/// Bytes of a thread where one is: text, pairs, and a block of queries.
constexpr std::uint64_t thread_bytes = std::uint64_t{12} << 20;

/// Bytes that the k-mers of the target may take.
std::uint64_t table_bytes_within(const SizeLimit& limit, int threads) {
  if (limit.bytes == unlimited) return unlimited;
  const std::uint64_t used = resident_bytes() + static_cast<std::uint64_t>(threads) * thread_bytes;
  return limit.bytes - std::min(limit.bytes, used);
}

DeviceOptions device_for(const QueryOptions& query, const PairFiles& files, int threads) {
  std::vector<std::string> references = files.references;
  if (!files.index.empty())
    references.push_back(files.index);  // its text has about as many symbols
  return query.device.for_work(
      cost_of_match_pairs(inflated_bytes(references), inflated_bytes(files.queries)),
      query.memory_limit, threads);
}

class PairRun : CommandRun {
 public:
  PairRun(const QueryOptions& query, const PairFiles& files, const PairRules& rules,
          Session& session)
      : CommandRun(session), query_(query), files_(files), rules_(rules) {}

  void run() {
    StartingBackend starting(device_for(query_, files_, session_.threads), true, path_);
    const Target target = open_target();
    backend_ = starting.get();
    session_.used(*backend_);
    with_memory_cure({"searching pairs of matches"}, [&] { search(target); });
  }

 private:
  Target open_target() const {
    if (!files_.index.empty()) {
      const auto check = [this](const Index& index) {
        if (rules_.by_file) require_kept_files(index);
      };
      return Target(open_index(files_.index, IndexUse::parts, session_, {.check = check}));
    }
    ReferenceOptions reading = query_.reading;
    reading.keep_files = rules_.by_file;
    return Target(read_references(files_.references, reading, query_.memory_limit, session_));
  }

  void search(const Target& target) {
    const Alphabet& alphabet = target.alphabet();
    require_strand(query_.strands(), alphabet);
    const std::uint64_t min_length = rules_.request.min_length;
    session_.report("indexing k-mers", -1);
    const Stopwatch watch;
    const std::unique_ptr<PairSearcher> searcher = backend_->open<PairSearch>(
        {.text = target.text(),
         .min_length = min_length,
         .threads = session_.threads,
         .table_bytes = table_bytes_within(query_.memory_limit, session_.threads),
         .limited_by = query_.memory_limit.given_by});
    log().debug("indexed in memory in {:.3f} s", watch.seconds());
    open_result(query_.output);
    outputs_.check_before_writing([&target] { target.require_unchanged(); });
    std::optional<MemoryLimit> memory = MemoryLimit::below(query_.memory_limit.bytes);
    const ReadingBounds bounds = bounds_of_queries(query_.memory_limit);
    PackedQueryReader reader(files_.queries,
                             {.threads = session_.threads,
                              .block_bytes = block_bytes,
                              .split_records = true,
                              .header_bytes = bounds.header_bytes,
                              .refuse_fastq_in_fasta = alphabet.policy() != SymbolPolicy::bytes,
                              .whole_header = query_.reading.whole_header,
                              .allow_empty = true,
                              .path = path_,
                              .decoding = {.unpack_bytes = bounds.unpack_bytes,
                                           .record_bytes = bounds.record_bytes,
                                           .cram = cram_references(query_.reading.cram_reference),
                                           .allow_no_eof = true}},
                             alphabet, queries_at_once, memory ? &*memory : nullptr);
    if (rules_.format == ResultFormat::tsv && !query_.no_header)
      out_->write(pair_header(rules_.by_file));
    PackedQueries queries(alphabet, min_length);
    PairFigures figures;
    up_to_error([&] {
      figures = write_pairs(
          *searcher, {target.records(), target.text().segments}, alphabet.has_reverse_complement(),
          rules_, reader, queries, backend_->search_threads(session_.threads),
          [this](std::string_view lines) { out_->write(lines); },
          [this](std::uint64_t done) { session_.report("searching", -1, done, "queries"); });
    });
    finish();
    warn_of_empty(reader.empty_files(), "queries");
    log().info("{}, {} with pairs, {}", counted(figures.queries, "query", "queries"),
               figures.with_pairs, counted(figures.pairs, "pair", "pairs"));
    if (figures.unmatchable == 0) return;
    log().warn("{}; see -L",
               no_part_matches(figures.unmatchable, figures.queries,
                               {"query", "queries", min_length}, alphabet, "the target"));
  }

  const QueryOptions& query_;
  const PairFiles& files_;
  const PairRules& rules_;
};

}  // namespace

void add_pair_options(CLI::App& command, PairOptions& options) {
  const auto add = [&](const char* name, bool& flag, const char* help) {
    return add_flag(command, name, flag, help)->group("Search");
  };
  add("--pairs", options.pairs,
      "Find the pairs of matches of a target, the first file or that of -x or -r, and of the other "
      "files: a place of each, equal over at least L symbols, that can be extended on neither "
      "side. No index is needed, and no file may be a list");
  CLI::Option* const mum = add("--mum", options.mum,
                               "With --pairs: only those (MUM) whose string occurs once in the "
                               "target, and once in the query on the strand of the pair");
  add("--mum-ref", options.mum_reference,
      "With --pairs: only those whose string occurs once in the target, however often in the query")
      ->excludes(mum);
  add("--unique-both-strands", options.both_strands,
      "With --mum: count both strands of the target together, and both of the query");
}

std::string pair_notes() {
  return "These options do not go with --pairs: " +
         list_of({every_place, other_formats, other_queries, other_files}) +
         "; these need it: " + list_of({of_pairs}) + ".";
}

void check_pair_options(const CLI::App& command, const PairOptions& options) {
  if (!options.pairs) {
    refuse_options(command, of_pairs, "is about pairs of matches; give --pairs, too");
    return;
  }
  refuse_options(command, every_place,
                 "does not go with --pairs, which writes every place; leave it out");
  refuse_options(command, other_formats, "does not go with --pairs; leave out one of them");
  refuse_options(command, other_queries,
                 "does not go with --pairs; name a FASTA or FASTQ file of queries");
  refuse_options(command, other_files, "does not go with --pairs; leave it out");
  if (options.both_strands && !options.mum)
    throw UsageError("--unique-both-strands says how --mum counts; give --mum, too");
}

void run_pairs(const PairOptions& options, const QueryOptions& query, const FormatOption& format,
               std::uint64_t min_length, Session& session) {
  const PairFiles files = choose_files(query);
  PairRules rules{{query.strands(), min_length, uniqueness(options)},
                  format_of_pairs(format, query.output, session.files),
                  query.by_file};
  require_file_names({rules.format, false, rules.by_file});
  if (query.memory_limit.bytes == unlimited) {
    rules.reads_ahead = are_regular(files.queries);
    rules.piece_bytes = unlimited_piece_bytes;
  }
  devices_named(query.device.device);  // throws before anything is read
  require_files(files.sequences());
  session.files.reads(files.sequences());
  if (!files.index.empty()) session.files.reads_index(files.index);
  check_outputs(query, session);
  try_outputs(query);
  PairRun(query, files, rules, session).run();
}

}  // namespace gsx::app
