// gsx ms: matching statistics of each query.
#include <CLI/App.hpp>
#include <memory>
#include <optional>

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
  void choose_format(RunFiles& files) {
    if (!format.empty()) return;
    const std::string suffix = output_format(query.output, {"ms", "text, tsv, u16 or u32"}, files);
    format = suffix == "u16" || suffix == "u32" ? suffix : "text";
  }
  LengthRules rules() const {
    const LengthFormat lengths = format == "u16"   ? LengthFormat::u16
                                 : format == "u32" ? LengthFormat::u32
                                                   : LengthFormat::text;
    return {query.strands(), ending, lengths};
  }
};

void run_ms(MsOptions& options, Session& session) {
  options.choose_format(session.files);
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
  command.work = QueryWork::match_lengths;
  command.found = {"matched position", "matched positions", 1};
  std::optional<LengthSides> sides;
  command.take_sides = [&](const std::vector<Output*>& files) {
    sides.emplace(files[0], files[1]);
    if (files[0] != nullptr && !options.query.no_header) files[0]->write(offsets_header);
  };
  run_queries(options.query, session, command,
              [&](const QueryRun& run, const QueryTargets& targets, LineSorter*) {
                return make_length_task(run, targets, rules, *sides);
              });
}

}  // namespace

void add_ms_command(CLI::App& app, Session& session, Run& run) {
  auto options = std::make_shared<MsOptions>();
  CLI::App* command =
      add_command(app, "ms", "Measure the longest match at each position of each query");
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
  add_strand_option(*command, options->query.strand);
  add_flag(*command, "--ending", options->ending,
           "Measure the longest match that ends with each position")
      ->group("Search");
  add_query_outputs(*command, options->query, "matches");
  command->get_option("--no-header")->description("Leave out the header line of --offsets");
  begin_group(*command, "Output");
  add_choice(
      *command, "--format", options->format, {"text", "u16", "u32"},
      "Write lengths as text, or as binary numbers of 16 or 32 bits, little-endian (default: "
      "the format that the suffix of -o names, also before .gz, and otherwise text)");
  add_path(*command, "--offsets", options->offsets,
           "Write where the lengths of each query begin to FILE, as TSV");
  add_path(*command, "--places", options->places,
           "Write where the longest match of each position is in the text to FILE");
  add_query_resources(*command, options->query,
                      "; cuda:N,M,... and cuda:all share the queries among several");
  add_session_options(*command, session, more_threads_with_gpu);
  set_work(*command, run, [options](Session& started) { run_ms(*options, started); });
}

}  // namespace gsx::app
