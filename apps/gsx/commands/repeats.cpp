// gsx repeats: maximal and supermaximal repeats, and pairs of their places.
#include "analysis/repeats/build.hpp"

#include <memory>
#include <optional>

#include "analysis/repeats/repeat_report.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "bytes/output.hpp"
#include "commands.hpp"
#include "inputs/indexed_text.hpp"
#include "inputs/input_options.hpp"
#include "options/format_suffix.hpp"
#include "options/numbers.hpp"
#include "options/options.hpp"
#include "outputs/lines.hpp"
#include "outputs/plan.hpp"
#include "outputs/table_and_picture.hpp"
#include "process/process.hpp"

namespace gsx::app {
namespace {

struct RepeatsOptions {
  InputOptions input;
  std::string index;
  DeviceOptions device;
  RepeatRequest request{.max_places = 20};
  std::string strand = "both";
  bool pairs = false;
  std::string output;
  std::string format;
  bool bed = false;
  bool tsv = false;
  bool no_header = false;
  std::string dotplot;
  PlanOptions plan;

  bool writes_bed() const;
};

bool RepeatsOptions::writes_bed() const {
  const std::string flag = bed ? "bed" : tsv ? "tsv" : "";
  refuse_other_format(format_suffix(dotplot), "repeats", "svg", "--dotplot");
  const std::string name = chosen_format(flag, format, output, "repeats", "tsv or bed");
  if (name == "bed" && pairs)
    throw UsageError("--pairs writes TSV: BED has no lines of two places");
  return name == "bed";
}

void check_choices(const RepeatsOptions& options, const CLI::App& command) {
  if (!options.pairs) return;
  refuse_options(command, {"--supermaximal", "--min-count", "--max-hits"},
                 "is for repeats, and --pairs writes pairs of places");
}

void write_pairs(const RepeatsOptions& options, const Repeats& repeats, RepeatReport& report,
                 Lines& lines) {
  if (!options.no_header) lines.text() += repeat_pair_header;
  std::uint64_t pairs = 0;
  repeats.find_pairs([&](const RepeatPair& pair) {
    ++pairs;
    report.append_pair(lines.text(), pair);
    lines.write_if_many();
  });
  log().info("{} maximal pairs", pairs);
}

void write_repeats(const RepeatsOptions& options, const Repeats& repeats, RepeatReport& report,
                   Lines& lines) {
  RepeatRequest request = options.request;
  if (request.max_places == 0) request.max_places = RepeatRequest::no_limit;
  const bool bed = options.writes_bed();
  if (!bed && !options.no_header) lines.text() += repeat_header;
  std::uint64_t found = 0, truncated = 0;
  repeats.find(request, [&](const Repeat& repeat) {
    ++found;
    if (repeat.places.size() < repeat.count) ++truncated;
    if (bed) {
      report.append_bed(lines.text(), found, repeat);
    } else {
      report.append_tsv(lines.text(), found, repeat);
    }
    lines.write_if_many();
  });
  log().info("{} {} repeats", found, request.supermaximal ? "supermaximal" : "maximal");
  if (truncated > 0) {
    log().warn("{} of {} repeats have more than {} places; --max-hits 0 writes all", truncated,
               found, request.max_places);
  }
}

void find_and_write(const RepeatsOptions& options, const RecordSource& source, Backend& backend,
                    TableAndPicture* outputs, Session& session) {
  const ChosenStrands strands(source.text, *source.alphabet, options.strand == "both",
                              session.threads);
  BuildOptions build = build_options(options.input, session);
  if (outputs == nullptr) {
    build.memory.used += repeat_bytes(strands.view());
    return print_sort_plan(strands.view().text, backend, build,
                           "memory suffices, if few suffixes repeat", options.plan, session);
  }
  const Repeats repeats(backend, strands.view(), options.request.min_length, build);
  session.used(backend);
  if (outputs->picture() != nullptr) outputs->picture()->write(repeats.dot_plot(source.records));
  RepeatReport report(source.records, source.text.segments);
  Lines lines(outputs->table());
  if (options.pairs) {
    write_pairs(options, repeats, report, lines);
  } else {
    write_repeats(options, repeats, report, lines);
  }
  lines.write();
}

void run_repeats(const RepeatsOptions& options, const CLI::App& command, Session& session) {
  give_memory_back();
  check_choices(options, command);
  static_cast<void>(options.writes_bed());  // refuses what disagrees, before work
  const auto index = indexed_text(command, options.index, options.input, session);
  const std::unique_ptr<Backend> backend = make_backend_for(
      options.plan,
      options.device.for_text(options.input.memory_limit, index, options.input.files));
  if (!index) require_files(options.input.files);
  std::optional<TableAndPicture> outputs;
  if (!options.plan.asked) outputs.emplace(options.output, options.dotplot, session.threads);
  TableAndPicture* const to = outputs ? &*outputs : nullptr;
  if (index && to != nullptr) to->check_before_writing([&] { index->require_unchanged(); });
  with_source(index, options.input, session, [&](const RecordSource& source) {
    find_and_write(options, source, *backend, to, session);
  });
  if (to != nullptr) to->commit();
}

void add_search_options(CLI::App& command, RepeatsOptions& options) {
  add_number(command, "-L,--min-length", options.request.min_length, {1, std::uint64_t{1} << 40},
             "Find repeats of at least L symbols")
      ->group("Search");
  command
      .add_flag("--supermaximal", options.request.supermaximal,
                "Find only repeats that are part of no other maximal repeat")
      ->group("Search");
  add_number(command, "--min-count", options.request.min_count, {2, ~std::uint64_t{0}},
             "Find repeats with at least N places")
      ->group("Search");
  add_choice(command, "--strand", options.strand, {"both", "fwd"},
             "Take a string and its reverse complement as one repeat (both), or not; only DNA has "
             "reverse complements")
      ->group("Search");
}

void add_output_options(CLI::App& command, RepeatsOptions& options) {
  add_path(command, "-o,--output", options.output,
           "Write to FILE instead of standard output, as BGZF if the name ends in .gz or .bgz")
      ->group("Output");
  command
      .add_flag("--pairs", options.pairs,
                "Write pairs of places that cannot be extended together, instead of repeats")
      ->group("Output");
  add_number(command, "--max-hits", options.request.max_places, {},
             "Write at most N places of a repeat, the first in suffix order; 0 writes all")
      ->group("Output");
  add_choice(command, "--format", options.format, {"tsv", "bed"},
             "Write this format (default: the one that the suffix of -o names, also before .gz, "
             "and otherwise tsv)")
      ->group("Output");
  CLI::Option* const tsv =
      command.add_flag("--tsv", options.tsv, "Write a line per repeat; short for --format tsv")
          ->group("Output");
  command
      .add_flag("--bed", options.bed,
                "Write BED6 with a line per place and the id of the repeat as name; short for "
                "--format bed")
      ->group("Output")
      ->excludes(tsv);
  command.add_flag("--no-header", options.no_header, "Leave out the header line of TSV")
      ->group("Output");
  add_path(command, "--dotplot", options.dotplot,
           "Also draw a dot plot of the input with itself, as SVG, to FILE")
      ->group("Output");
}

}  // namespace

void add_repeats_command(CLI::App& app, Session& session, Run& run) {
  auto options = std::make_shared<RepeatsOptions>();
  CLI::App* command =
      app.add_subcommand("repeats", "Find exact repeats in sequences or in an index");
  command->footer(
      "A maximal repeat is a string that occurs at least twice, and of which every string that is "
      "one symbol longer occurs less often. In DNA, a repeat and its reverse complement are one, "
      "and its first place is on the strand +. Repeats hold no N and cross no end of a record.\n\n"
      "Examples:\n"
      "  gsx repeats genome.fa > repeats.tsv\n"
      "  gsx repeats -L 500 --supermaximal genome.gsx --bed -o repeats.bed\n"
      "  gsx repeats -L 50 --pairs plasmid.fa\n"
      "  gsx repeats -L 200 contigs.fa --dotplot contigs.svg -o repeats.tsv.gz");
  add_input_options(*command, options->input);
  add_whole_header_option(*command, options->input);
  add_indexed_text_option(*command, options->index);
  add_search_options(*command, *options);
  add_output_options(*command, *options);
  add_plan_options(*command, options->plan, "the memory that the run needs");
  add_device_options(*command, options->device);
  add_session_options(*command, session);
  command->callback([options, command, &run] {
    run = [options, command](Session& started) { run_repeats(*options, *command, started); };
  });
}

}  // namespace gsx::app
