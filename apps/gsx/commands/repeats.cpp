// gsx repeats: maximal and supermaximal repeats, and pairs of their places.
#include "analysis/repeats/build.hpp"

#include <CLI/App.hpp>
#include <algorithm>
#include <memory>
#include <optional>

#include "analysis/repeats/repeat_report.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/messages.hpp"
#include "commands.hpp"
#include "device/cost.hpp"
#include "inputs/by_file_option.hpp"
#include "inputs/indexed_text.hpp"
#include "inputs/input_options.hpp"
#include "options/format_option.hpp"
#include "options/format_suffix.hpp"
#include "options/numbers.hpp"
#include "options/option_kinds.hpp"
#include "options/options.hpp"
#include "options/sort_option.hpp"
#include "outputs/plan.hpp"
#include "process/environment.hpp"
#include "process/process.hpp"

namespace gsx::app {
namespace {

struct RepeatsOptions {
  InputOptions input;
  TargetOptions target;
  DeviceOptions device;
  RepeatRequest request{.max_places = 20};
  std::string strand = "both";
  bool pairs = false;
  std::string output;
  FormatOption format;
  std::string sort = "query";
  bool by_file = false;
  bool no_header = false;
  std::string dotplot;
  PlanOptions plan;

  /// How lines are written. Throws UsageError for what disagrees.
  PlaceLineOptions lines(RunFiles& files) const;
};

PlaceLineOptions RepeatsOptions::lines(RunFiles& files) const {
  output_format(dotplot, {"repeats", "svg", "--dotplot"}, files);
  const ResultFormat chosen = format.choose(output, files);
  if (pairs && is_track(chosen))
    throw UsageError("--pairs writes TSV or JSON lines: BED and GFF3 have no lines of two places");
  const PlaceLineOptions lines{chosen, sort == "position", by_file};
  require_file_names(lines);
  if (lines.sorted && !pairs && !is_track(chosen)) {
    throw UsageError("--sort position needs one line per place, but " + name_of(chosen) +
                     " has one per repeat; choose bed or gff3, or --pairs");
  }
  return lines;
}

void check_choices(const RepeatsOptions& options, const CLI::App& command) {
  if (!options.pairs) return;
  refuse_options(command, {"--supermaximal", "--min-count", "--max-hits"},
                 "is for repeats, and --pairs writes pairs of places");
}

/// Writes lines in pieces, or keeps them until all are there and sorted.
class RepeatLines {
 public:
  /// Sorts in so many bytes, if they are not 0.
  RepeatLines(Output& out, const RecordsView& records, std::uint64_t sort_bytes) : out_(out) {
    if (sort_bytes != 0) sorter_.emplace(records, sort_bytes, scratch_place());
  }

  void write_header(const std::string& header) { out_.write(header); }
  /// What is not written yet.
  KeyedLines& next() { return next_; }
  void write_if_many() {
    if (next_.text.size() >= piece_bytes) write();
  }
  void finish() {
    write();
    if (sorter_) sorter_->write(out_);
  }

 private:
  static constexpr std::size_t piece_bytes = std::size_t{1} << 16;

  void write() {
    sorter_ ? sorter_->add(next_.view()) : out_.write(next_.text);
    next_.clear();
  }

  Output& out_;
  std::optional<PlaceSorter> sorter_;
  KeyedLines next_;
};

void write_pairs(const RepeatsOptions& options, const Repeats& repeats, RepeatReport& report,
                 RepeatLines& lines) {
  if (!options.no_header) lines.write_header(report.header(true));
  std::uint64_t pairs = 0;
  repeats.find_pairs([&](const RepeatPair& pair) {
    ++pairs;
    report.append_pair(lines.next(), pair);
    lines.write_if_many();
  });
  log().info("{}", counted(pairs, "maximal pair", "maximal pairs"));
}

void write_repeats(const RepeatsOptions& options, const Repeats& repeats, RepeatReport& report,
                   RepeatLines& lines) {
  RepeatRequest request = options.request;
  if (request.max_places == 0) request.max_places = RepeatRequest::no_limit;
  if (!options.no_header) lines.write_header(report.header(false));
  std::uint64_t found = 0, truncated = 0;
  repeats.find(request, [&](const Repeat& repeat) {
    ++found;
    if (repeat.places.size() < repeat.count) ++truncated;
    report.append(lines.next(), found, repeat);
    lines.write_if_many();
  });
  log().info("{}", request.supermaximal
                       ? counted(found, "supermaximal repeat", "supermaximal repeats")
                       : counted(found, "maximal repeat", "maximal repeats"));
  if (truncated > 0) {
    log().warn("{} of {} repeats have more than {} places; --max-hits 0 writes all", truncated,
               found, request.max_places);
  }
}

/// Writes to `table`; if it is null, prints the plan. A dot plot may be null, too.
void find_and_write(const RepeatsOptions& options, const RecordSource& source, Backend& backend,
                    Output* table, Output* dot_plot, Session& session) {
  const ChosenStrands strands(source.text, *source.alphabet, options.strand == "both",
                              session.threads);
  const PlaceLineOptions written = options.lines(session.files);
  BuildOptions build = build_options(options.input, session);
  const std::uint64_t room = build.memory.limit - std::min(build.memory.limit, build.memory.used);
  const std::uint64_t sort_bytes = written.sorted ? PlaceSorter::memory_within(room) : 0;
  build.memory.used += sort_bytes;
  if (table == nullptr) {
    build.memory.used += repeat_bytes(strands.view());
    return print_sort_plan(strands.view().text, backend, build,
                           "memory suffices, if few suffixes repeat", options.plan);
  }
  const Repeats repeats(backend, strands.view(), options.request.min_length, build);
  if (dot_plot != nullptr) dot_plot->write(repeats.dot_plot(source.records));
  RepeatReport report(source.records, source.text.segments, written);
  RepeatLines lines(*table, source.records, sort_bytes);
  if (options.pairs) {
    write_pairs(options, repeats, report, lines);
  } else {
    write_repeats(options, repeats, report, lines);
  }
  lines.finish();
}

void run_repeats(const RepeatsOptions& options, const CLI::App& command, Session& session) {
  give_memory_back();
  check_choices(options, command);
  static_cast<void>(options.lines(session.files));  // refuses what disagrees, before work
  InputOptions input = options.input;
  input.keep_files = options.by_file;
  TextJob job(command, options.target, input, session);
  Amount symbols = job.symbols();
  if (symbols && options.strand == "both") *symbols *= 2;  // both strands are sorted
  job.take_device(options.device, cost_of_sorting(symbols), options.plan);
  Output *table = nullptr, *dot_plot = nullptr;
  if (!options.plan.asked) {
    check_outputs({options.output, options.dotplot}, session);
    table = &job.outputs().open(options.output);
    dot_plot = job.outputs().open_if_named(options.dotplot);
  }
  const Target target = job.read();
  find_and_write(options, target.source(), job.backend(), table, dot_plot, session);
  job.finish();
}

void add_search_options(CLI::App& command, RepeatsOptions& options) {
  begin_group(command, "Search");
  add_number(command, "-L,--min-length", options.request.min_length, {1, std::uint64_t{1} << 40},
             "Find repeats of at least L symbols");
  add_flag(command, "--supermaximal", options.request.supermaximal,
           "Find only repeats that are part of no other maximal repeat");
  add_number(command, "--min-count", options.request.min_count, {2, ~std::uint64_t{0}},
             "Find repeats with at least N places");
  add_choice(command, "--strand", options.strand, {"both", "fwd"},
             "Take a string and its reverse complement as one repeat (both), or not; only DNA has "
             "reverse complements");
}

void add_output_options(CLI::App& command, RepeatsOptions& options) {
  begin_group(command, "Output");
  add_output(command, options.output);
  add_flag(command, "--pairs", options.pairs,
           "Write pairs of places that cannot be extended together, instead of repeats");
  add_number(command, "--max-hits", options.request.max_places, {},
             "Write at most N places of a repeat, the first in suffix order; 0 writes all");
  options.format.add(
      command,
      {{ResultFormat::tsv, "Write a line per repeat"},
       {ResultFormat::bed, "Write BED6 with a line per place and the id of the repeat as name"},
       {ResultFormat::jsonl, "Write JSON lines, one object per repeat or pair"},
       {ResultFormat::gff3}});
  add_sort_option(command, options.sort, "places", "repeat, in suffix order",
                  "; for BED, GFF3 and --pairs, whose lines go by their first place");
  add_by_file_option(command, options.by_file,
                     "in TSV the column files, which lists those of the places; file_id for each "
                     "place in JSON lines and GFF3; file_id and file_id2 with --pairs");
  add_flag(command, "--no-header", options.no_header, "Leave out the header line of TSV or GFF3");
  add_path(command, "--dotplot", options.dotplot,
           "Also draw a dot plot of the input with itself, as SVG, to FILE");
}

}  // namespace

void add_repeats_command(CLI::App& app, Session& session, Run& run) {
  auto options = std::make_shared<RepeatsOptions>();
  CLI::App* command = add_command(app, "repeats", "Find exact repeats in sequences or in an index");
  command->footer(
      "A maximal repeat is a string that occurs at least twice, and of which every string that is "
      "one symbol longer occurs less often. In DNA, a repeat and its reverse complement are one, "
      "and its first place is on the strand +. What is its own reverse complement occurs on both "
      "strands, which counts where it is decided what occurs less often; in the output, each place "
      "counts once. Repeats hold no N and cross no end of a record.\n\n"
      "Examples:\n"
      "  gsx repeats genome.fa > repeats.tsv\n"
      "  gsx repeats -L 500 --supermaximal genome.gsx --bed -o repeats.bed\n"
      "  gsx repeats -L 50 --pairs plasmid.fa\n"
      "  gsx repeats -L 200 contigs.fa --dotplot contigs.svg -o repeats.tsv.gz");
  add_input_options(*command, options->input);
  add_whole_header_option(*command, options->input);
  add_text_target(*command, options->target);
  add_search_options(*command, *options);
  add_output_options(*command, *options);
  add_plan_options(*command, options->plan, "the memory that the run needs");
  add_device_options(*command, options->device);
  add_session_options(*command, session);
  set_work(*command, run,
           [options, command](Session& started) { run_repeats(*options, *command, started); });
}

}  // namespace gsx::app
