// gsx lz77: LZ77 phrases of sequences, and sequences of phrases.
#include <spdlog/fmt/fmt.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <memory>

#include "analysis/lz77/factorize.hpp"
#include "analysis/lz77/phrase_file.hpp"
#include "base/error.hpp"
#include "bytes/outputs.hpp"
#include "commands.hpp"
#include "commands/lz77_output.hpp"
#include "device/cost.hpp"
#include "device/registry.hpp"
#include "inputs/indexed_text.hpp"
#include "inputs/input_options.hpp"
#include "options/format_suffix.hpp"
#include "options/numbers.hpp"
#include "options/option_kinds.hpp"
#include "options/options.hpp"
#include "outputs/plan.hpp"
#include "outputs/whole_file.hpp"
#include "process/process.hpp"

namespace gsx::app {
namespace {

struct Lz77CommandOptions {
  InputOptions input;
  TargetOptions target;
  std::string output;
  DeviceOptions device;
  std::string format;
  std::uint64_t window = 0;  ///< 0: none
  bool tsv = false;
  bool stats = false;
  bool across_records = false;
  bool inverse = false;
  bool no_header = false;
  PlanOptions plan;
};

constexpr const char* format_names[] = {"lz77", "tsv", "stats", "bedgraph"};

/// The format that the options name; else that of the suffix of the output.
PhraseFormat phrase_format(const Lz77CommandOptions& options, RunFiles& files) {
  const std::string flag = options.tsv ? "tsv" : options.stats ? "stats" : "";
  std::string chosen = asked_format(flag, options.format);
  if (options.window > 0) {
    if (!chosen.empty() && chosen != "bedgraph")
      throw UsageError("--window writes bedgraph, not " + chosen + "; give one of them");
    chosen = "bedgraph";
  }
  if (chosen.empty()) {
    chosen = output_format(options.output,
                           {.command = "lz77", .written = "lz77, tsv, stats or bedgraph"}, files);
    const bool is_file = !options.output.empty() && options.output != "-";
    if (chosen.empty()) chosen = is_file ? "lz77" : "tsv";
  }
  if (chosen == "bedgraph" && options.window == 0)
    throw UsageError("bedgraph needs the size of its windows: --window N");
  const auto* const found = std::ranges::find(format_names, chosen);
  return static_cast<PhraseFormat>(found - std::begin(format_names));
}

/// Parses `source` into `out`.
void parse(const Lz77CommandOptions& options, const PhraseOutputRules& rules,
           const RecordSource& source, Backend& backend, Output& out, Session& session) {
  const Lz77Options lz77{options.across_records, build_options(options.input, session)};
  const std::unique_ptr<PhraseOutput> written = make_phrase_output(rules, source.records, out);
  factorize(source, backend, lz77, [&](const RecordPhrases& phrases) { written->add(phrases); });
  written->finish();
}

/// Prints what parsing `source` would take.
void show_plan(const Lz77CommandOptions& options, const RecordSource& source, Backend& backend,
               Session& session) {
  const Lz77Options lz77{options.across_records, build_options(options.input, session)};
  const Lz77Plan plan = plan_lz77(source, backend, lz77);
  const HostMemory& memory = lz77.build.memory;
  FactTable table;
  table.word("device", backend.name());
  table.word("alphabet", name_of(source.alphabet->policy()));
  table.number("symbols", source.text.length() - source.text.segments.count);
  table.number("records", source.records.size());
  table.number("segments", source.text.segments.count);
  table.number("parts", plan.parts);
  table.number("part_symbols", plan.part_symbols);
  table.number("host_bytes", memory.total(plan.host_bytes));
  table.limit("host_limit_bytes", memory.limit);
  table.word("host_limited_by", memory.limited_by);
  table.number("device_bytes", plan.device_bytes);
  const bool fits = memory.has_room(plan.host_bytes);
  table.words("conclusion", "conclusions",
              {fits ? "memory suffices, unless short words repeat for long"
                    : memory.shortage(plan.host_bytes, "the LZ77 parse")});
  print_plan(table, options.plan);
}

void run_forward(const Lz77CommandOptions& options, const CLI::App& command, Session& session) {
  const PhraseOutputRules rules{phrase_format(options, session.files), options.across_records,
                                options.window, !options.no_header};
  const bool is_binary = rules.format == PhraseFormat::lz77;
  if (is_binary) refuse_compression(options.output, "LZ77 files, unlike --tsv,");
  if (is_binary && !options.plan.asked)
    refuse_terminal(options.output, "an LZ77 file", "use --tsv or -o FILE");
  TextJob job(command, options.target, options.input, session);
  job.take_device(options.device, cost_of_sorting(job.symbols()), options.plan);
  Output* const out = options.plan.asked ? nullptr : &job.outputs().open(options.output);
  const Target target = job.read();
  if (out == nullptr) {
    show_plan(options, target.source(), job.backend(), session);
  } else {
    parse(options, rules, target.source(), job.backend(), *out, session);
  }
  job.finish();
}

void run_inverse(const Lz77CommandOptions& options, const CLI::App& command, Session& session) {
  refuse_options(command, {"--index", "--reference"},
                 "is for making phrases, and --inverse reads an LZ77 file");
  if (options.input.files.empty()) {
    throw UsageError("FILE is required: --inverse takes one file; - is standard input");
  }
  if (options.input.files.size() != 1) throw UsageError("--inverse takes one file");
  refuse_options(command, {"--alphabet", "--ambiguous", "--soft-mask", "--allow-no-eof", "--batch"},
                 "is for sequences, and --inverse reads an LZ77 file");
  constexpr const char* why = "is for making phrases, and --inverse reads them";
  refuse_options(command,
                 {"--wide", "--across-records", "--format", "--tsv", "--stats", "--no-header",
                  "--window", "--plan"},
                 why);
  refuse_device_options(command, options.device, why);
  output_format(options.output, {"lz77 --inverse", "fasta"}, session.files);
  const std::string& path = options.input.files[0];
  session.files.reads(options.input.files);
  Outputs outputs(session.threads);
  Output& out = outputs.open(options.output);
  session.report("reading", -1);
  const WholeFile file = read_whole(path, "an LZ77 file", options.input.memory_limit);
  session.report("writing sequences", -1);
  session.device_used = "cpu";
  const HostMemory memory = build_options(options.input, session).memory;
  read_phrase_file(
      file.bytes(), shown_file(path),
      [&](std::uint64_t bytes) { memory.require(bytes, "giving back the longest record"); },
      [&](const PhraseFileRecord& record) { write_fasta(record, out); });
  outputs.commit();
}

void run_lz77(const Lz77CommandOptions& options, const CLI::App& command, Session& session) {
  give_memory_back();
  options.inverse ? run_inverse(options, command, session) : run_forward(options, command, session);
}

constexpr const char* explanation =
    "An LZ77 parse cuts a sequence into phrases, from left to right: each is the longest stretch "
    "that begins at an earlier position too (the copy may overlap its source), or a literal, one "
    "symbol that has not occurred before. The source is the first such position. Matches are "
    "exact, "
    "on the forward strand, and end at records and at symbols outside the alphabet. A run of one "
    "such symbol (N) is one phrase; it counts neither in z, the number of phrases, nor in n, the "
    "number of symbols. A record is parsed alone, unless --across-records lets sources lie in "
    "earlier records, too.\n\n"
    "Formats:\n"
    "  lz77      binary, with names and a checksum; --inverse gives the sequences back. Default "
    "with -o\n"
    "  tsv       record, start, length, source, literal, one line per phrase; with "
    "--across-records also source_record. Default without -o\n"
    "  stats     record, length, symbols (n), z, z_log_n_over_n: z log2(n) / n, slightly above 2 "
    "for long random DNA, less for a sequence that repeats itself\n"
    "  bedgraph  for each window of N symbols (--window), z log2(n) / n of the phrases that begin "
    "in it and of its symbols; windows without symbols of the alphabet are left out\n\n"
    "Memory: 12 bytes per symbol of the longest record (24 above 2^32 symbols), or what its suffix "
    "array takes if that is more; up to twice that for long runs of a letter or of a short word; "
    "with "
    "--across-records, of all records together. --plan tells what a text without such runs "
    "takes.\n\n"
    "Examples:\n"
    "  gsx lz77 genome.fa -o genome.lz77       write phrases\n"
    "  gsx lz77 --inverse genome.lz77          give the sequences back, as FASTA\n"
    "  gsx lz77 genome.fa --stats              how repetitive is each record?\n"
    "  gsx lz77 chr1.fa --window 1000 -o chr1.bedgraph\n"
    "  gsx lz77 strains.fa --across-records --stats";

void add_outputs(CLI::App& command, Lz77CommandOptions& options) {
  begin_group(command, "Output");
  add_path(command, "-o,--output", options.output,
           "Write to FILE instead of standard output; all formats but lz77 as BGZF if the name "
           "ends in .gz or .bgz");
  add_choice(command, "--format", options.format, {"lz77", "tsv", "stats", "bedgraph"},
             "Write this format (default: tsv or bedgraph if the suffix of -o names it, else lz77 "
             "for -o FILE and tsv for standard output)");
  CLI::Option* const tsv = add_flag(command, "--tsv", options.tsv, "Same as --format tsv");
  add_flag(command, "--stats", options.stats, "Same as --format stats")->excludes(tsv);
  add_no_header(command, options.no_header);
  add_number(command, "--window", options.window, {2, std::uint64_t{1} << 40},
             "Write the complexity of each window of N symbols; implies --format bedgraph")
      ->default_str("");
  add_plan_options(command, options.plan, "the memory that the parse needs");
}

}  // namespace

void add_lz77_command(CLI::App& app, Session& session, Run& run) {
  auto options = std::make_shared<Lz77CommandOptions>();
  CLI::App* command =
      add_command(app, "lz77", "Cut sequences into LZ77 phrases, or measure their complexity");
  command->footer(explanation);
  add_input_options(*command, options->input);
  command->get_option("--memory-limit")
      ->description(
          "Use at most SIZE of host memory, such as 8GiB; a parse that does not fit is refused "
          "(default: the free memory, or what ulimit or the control group allows)");
  add_text_target(*command, options->target);
  add_flag(*command, "--inverse", options->inverse, "Read FILE as an LZ77 file and write FASTA")
      ->group("Input");
  add_flag(*command, "--across-records", options->across_records,
           "Let sources lie in earlier records, too")
      ->group("Search");
  add_outputs(*command, *options);
  add_device_options(*command, options->device);
  add_session_options(*command, session);
  set_work(*command, run,
           [options, command](Session& started) { run_lz77(*options, *command, started); });
}

}  // namespace gsx::app
