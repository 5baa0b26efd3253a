// gsx ms: matching statistics of each query.
#include <memory>
#include <optional>

#include "bytes/output_place.hpp"
#include "commands.hpp"
#include "options/format_suffix.hpp"
#include "options/option_kinds.hpp"
#include "process/process.hpp"
#include "queries/query_run.hpp"
#include "run/length_tasks.hpp"

namespace gsx::app {
namespace {

struct MsOptions {
  QueryOptions query;
  std::string format;
  std::string offsets;
  std::string places;
  bool ending = false;

  /// Chooses the format by the suffix of the output, unless it is given.
  void choose_format() {
    if (!format.empty()) return;
    const std::string suffix = format_suffix(query.output);
    refuse_other_format(suffix, "ms", "text, u16 or u32");
    format = suffix == "u16" || suffix == "u32" ? suffix : "text";
  }
  LengthRules rules() const {
    const LengthFormat lengths = format == "u16"   ? LengthFormat::u16
                                 : format == "u32" ? LengthFormat::u32
                                                   : LengthFormat::text;
    return {query.strands(), ending, lengths};
  }
};

/// The side files of a run.
class SideFiles {
 public:
  /// Opens those that are asked for.
  SideFiles(const MsOptions& options, const Index& index) {
    open(options.offsets, offsets_, index);
    open(options.places, places_, index);
    if (offsets_ && !options.query.no_header) offsets_->write(offsets_header);
    sides_.emplace(offsets_ ? &*offsets_ : nullptr, places_ ? &*places_ : nullptr);
  }
  SideFiles(const SideFiles&) = delete;  // sides_ refers to this object
  SideFiles& operator=(const SideFiles&) = delete;

  LengthSides& sides() { return *sides_; }
  void finish() {
    if (places_) places_->finish();
    if (offsets_) offsets_->finish();
  }
  void commit() {
    if (places_) places_->commit();
    if (offsets_) offsets_->commit();
  }

 private:
  static void open(const std::string& path, std::optional<Output>& file, const Index& index) {
    if (path.empty()) return;
    file.emplace(path, encoding_for(path));
    file->check_before_writing([&index] { index.require_unchanged(); });
  }

  std::optional<Output> offsets_;
  std::optional<Output> places_;
  std::optional<LengthSides> sides_;
};

void run_ms(MsOptions& options, Session& session) {
  options.choose_format();
  const LengthRules rules = options.rules();
  options.query.with_rules = false;
  options.query.side_outputs = {options.offsets, options.places};
  if (rules.format != LengthFormat::text) {
    constexpr const char* cure = "name a file, or read them from a pipe";
    refuse_terminal(options.query.output, "binary numbers", cure);
    if (!options.places.empty()) refuse_terminal(options.places, "binary numbers", cure);
  }
  QueryCommand command{"ms", ""};
  command.options = {{"format", options.format}, {"ending", options.ending}};
  command.found = {"matched position", "matched positions", 1};
  std::optional<Index> kept;
  std::unique_ptr<MatchSearcher> searcher;
  std::optional<SideFiles> files;
  command.open = [&](Backend& backend, const Index& index, int threads,
                     const SearchMemory& memory) {
    kept.emplace(index.share());
    searcher = backend.open<MatchSearch>({index, threads, memory});
    files.emplace(options, *kept);
  };
  command.finish = [&] { files->finish(); };
  command.commit = [&] { files->commit(); };
  run_queries(options.query, session, command,
              [&](const QueryRun& run, const QueryTargets& targets, LineSorter*) {
                return make_length_task(run, targets, *searcher, rules, files->sides());
              });
}

}  // namespace

void add_ms_command(CLI::App& app, Session& session, Run& run) {
  auto options = std::make_shared<MsOptions>();
  CLI::App* command =
      app.add_subcommand("ms", "Measure the longest match at each position of each query");
  command->footer(
      "Matching statistics: for each position of a query, the length of the longest match that "
      "starts there (with --ending, that ends with it): of the longest interval of the query that "
      "occurs in the text. Of two strands, the longer match counts. A symbol outside the alphabet "
      "(N) matches nothing and has length 0, and nothing matches across the end of a record or a "
      "run of N. If no query has a symbol of the alphabet, and not for N alone, the exit code is "
      "3.\n\n"
      "Output: for each query a line with > and its name, and a line of lengths with blanks "
      "between them. With --format u16 or u32, or -o FILE.u16 or FILE.u32: the lengths alone, of "
      "all queries in order, as "
      "little-endian numbers of 16 or 32 bits. A length that they cannot hold ends the run with "
      "exit code 2; nothing is cut.\n\n"
      "--offsets writes TSV, one line per query: query_id, offset (lengths before its first), "
      "length (of the query). NumPy reads the lengths of a query so: numpy.fromfile('ms.u32', "
      "'<u4')[offset:offset + length].\n\n"
      "--places writes a place of the longest match of each position, in the same order: as text, "
      "TARGET:START:STRAND, or * for length 0, otherwise 16 bytes: number of the target (u32, from "
      "0), 1 for strand +, -1 for strand -, 0 for length 0 (i32), START (u64); NumPy's dtype is "
      "'<u4,<i4,<u8'. START is 0-based, on the forward strand of the target; strand - means that "
      "the reverse complement of the match is there. A longest match is a part of a maximal match, "
      "as mem finds it; its place is in the first place of that one: strand + before -, then "
      "suffix order, as mem --max-hits 1 chooses.\n\n"
      "Examples:\n"
      "  gsx ms genome.gsx reads.fq.gz -o reads.lengths.gz\n"
      "  gsx ms -x genome.gsx contigs.fa -o ms.u32 --offsets ms.tsv\n"
      "  gsx ms -x genome.gsx contigs.fa --places contigs.places -o contigs.lengths\n"
      "  gsx ms -x genome.gsx -p ACGTACGTTTGACA");
  add_query_inputs(*command, options->query);
  add_strand_option(*command, options->query);
  command
      ->add_flag("--ending", options->ending,
                 "Measure the longest match that ends with each position")
      ->group("Search");
  add_query_outputs(*command, options->query, "matches");
  command->get_option("--no-header")->description("Leave out the header line of --offsets");
  add_choice(
      *command, "--format", options->format, {"text", "u16", "u32"},
      "Write lengths as text, or as binary numbers of 16 or 32 bits, little-endian (default: "
      "the format that the suffix of -o names, also before .gz, and otherwise text)")
      ->group("Output");
  add_path(*command, "--offsets", options->offsets,
           "Write where the lengths of each query begin to FILE, as TSV")
      ->group("Output");
  add_path(*command, "--places", options->places,
           "Write where the longest match of each position is in the text to FILE")
      ->group("Output");
  add_query_resources(*command, options->query,
                      "; cuda:N,M,... and cuda:all share the queries among several");
  add_session_options(*command, session, more_threads_with_gpu);
  command->callback(
      [options, &run] { run = [options](Session& started) { run_ms(*options, started); }; });
}

}  // namespace gsx::app
