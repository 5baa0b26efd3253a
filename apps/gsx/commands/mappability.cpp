// gsx mappability: how often k-mers occur in the text itself, at each position.
#include <malloc.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <memory>
#include <optional>

#include "analysis/mappability/build.hpp"
#include "analysis/mappability/kmer_tracks.hpp"
#include "analysis/mappability/spectrum_text.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "commands.hpp"
#include "device/cost.hpp"
#include "inputs/indexed_text.hpp"
#include "inputs/input_options.hpp"
#include "options/format_suffix.hpp"
#include "options/numbers.hpp"
#include "options/option_kinds.hpp"
#include "options/options.hpp"
#include "output/lines/line_layout.hpp"
#include "outputs/lines.hpp"
#include "outputs/plan.hpp"
#include "outputs/track_outputs.hpp"
#include "process/process.hpp"

namespace gsx::app {
namespace {

struct MappabilityOptions {
  InputOptions input;
  TargetOptions target;
  DeviceOptions device;
  TrackOutputOptions output;
  std::vector<std::uint32_t> lengths;
  std::optional<std::uint64_t> cap;
  int mismatches = 0;
  std::string umap;
  std::string strand = "both";
  std::string plot;
  bool frequency = false;
  bool shortest_unique = false;
  bool spectrum = false;
  PlanOptions plan;

  /// Without --cap, frequencies are exact, and those with mismatches exact up to 255.
  KmerMatching matching() const {
    const std::uint64_t most = cap.value_or(mismatches == 0 ? 0 : 255);
    return {mismatches, most == 0 ? ~std::uint64_t{0} : most};
  }
  KmerValue value() const {
    if (umap == "single") return KmerValue::umap_single;
    if (umap == "multi") return KmerValue::umap_multi;
    return frequency ? KmerValue::frequency : KmerValue::mappability;
  }
};

/// The text whose suffixes are sorted, and the records that the results are of.
struct TrackTarget {
  RecordSegments forward;
  std::vector<TrackRecord> records;
  ChosenStrands strands;

  TrackTarget(const RecordSource& source, bool both, int threads)
      : forward{source.records, source.text.segments},
        records(track_records(source.records)),
        strands(source.text, *source.alphabet, both, threads) {}
};

std::vector<std::uint64_t> kmer_lengths(const MappabilityOptions& options) {
  return {options.lengths.begin(), options.lengths.end()};
}

void check_choices(const MappabilityOptions& options, const CLI::App& command, RunFiles& files) {
  const int asked = (options.lengths.empty() ? 0 : 1) + (options.shortest_unique ? 1 : 0) +
                    (options.spectrum ? 1 : 0);
  if (asked == 0) {
    throw UsageError(
        "choose what to write: -K with the length of k-mers, --shortest-unique, or --spectrum");
  }
  if (asked > 1)
    throw UsageError(
        "-K, --shortest-unique and --spectrum write different things; give one of them");
  if (!options.umap.empty()) refuse_options(command, {"--cap"}, "has no effect on --umap");
  if (options.lengths.empty())
    refuse_options(command, {"--frequency", "--umap", "--cap", "--mismatches"}, "needs -K");
  if (!options.spectrum) refuse_options(command, {"--plot"}, "needs --spectrum");
  if (options.spectrum) {
    refuse_options(command, {"--bigwig", "--bedgraph", "--tsv", "--format"},
                   "is for tracks, and --spectrum writes a table");
    output_format(options.output.output, {"mappability --spectrum", "tsv"}, files);
  }
  output_format(options.plot, {"mappability", "svg", "--plot"}, files);
  require_longer(kmer_lengths(options), options.matching());
  std::vector<std::uint32_t> sorted = options.lengths;
  std::sort(sorted.begin(), sorted.end());
  if (const auto same = std::adjacent_find(sorted.begin(), sorted.end()); same != sorted.end())
    throw UsageError("-K names " + std::to_string(*same) + " twice");
}

/// The words that tell the tracks of several K apart.
std::vector<std::string> words_of(const MappabilityOptions& options) {
  std::vector<std::string> words;
  if (options.lengths.size() > 1) {
    for (const std::uint32_t k : options.lengths)
      words.push_back("k" + std::to_string(k));
  }
  return words;
}

TrackOptions track_options(const MappabilityOptions& options, const TrackTarget& target,
                           Session& session, TrackKind kind) {
  TrackOptions track{.threads = session.threads, .kind = kind, .progress = session.progress()};
  const std::uint64_t limit = options.input.memory_limit.bytes;
  if (limit != unlimited)
    track = within_memory(track, limit, target.records, !options.output.bigwig.empty());
  return track;
}

void warn_of_empty_tracks(const MappabilityOptions& options, const SegmentsView& segments) {
  std::uint64_t longest = 0;
  for (std::uint64_t s = 0; s < segments.count; ++s)
    longest = std::max(longest, segments.starts[s + 1] - 1 - segments.starts[s]);
  for (const std::uint32_t k : options.lengths) {
    if (k > longest) {
      log().warn(
          "the track for K = {} is empty: no stretch of the records has more than {} symbols", k,
          longest);
    }
  }
}

void write_frequencies(const MappabilityOptions& options, const TrackTarget& target,
                       Backend& backend, TrackOutputs& out, const BuildOptions& build,
                       Session& session) {
  const std::vector<std::uint64_t> lengths = kmer_lengths(options);
  const KmerMatching matching = options.matching();
  warn_of_empty_tracks(options, target.forward.segments);
  auto codes =
      count_kmers(backend, target.strands.view(), lengths, matching, build, [] { malloc_trim(0); });
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const KmerTrack track(target.forward, *codes[i], lengths[i], options.value(), matching.cap);
    out.write(
        i, target.records,
        [&](const TrackRange& range, PieceRuns& runs) { track.fill(range, runs); },
        track_options(options, target, session, track.kind()));
    codes[i].reset();
  }
}

void fill_shortest(const TrackTarget& target, const UniqueKmers& unique, const TrackRange& range,
                   PieceRuns& runs) {
  constexpr std::uint64_t at_once = 4096;
  std::uint32_t values[at_once];
  target.forward.for_each(range, [&](std::uint64_t begin, std::uint64_t end, std::uint64_t offset) {
    for (; begin < end; begin += at_once, offset += at_once) {
      const std::uint64_t count = std::min(at_once, end - begin);
      unique.fill(begin, {values, count}, no_count);
      runs.add_counts(offset, {values, count});
    }
  });
}

void write_shortest(const MappabilityOptions& options, const TrackTarget& target, Backend& backend,
                    TrackOutputs& out, const BuildOptions& build, Session& session) {
  const UniqueKmers unique(backend, target.strands.view(), build);
  out.write(
      0, target.records,
      [&](const TrackRange& range, PieceRuns& runs) { fill_shortest(target, unique, range, runs); },
      track_options(options, target, session, TrackKind::count));
}

/// Writes the table; a plot may be null.
void write_spectrum(const TrackTarget& target, Backend& backend, Output& table, Output* plot,
                    bool header, const BuildOptions& build, Session& session) {
  const UniqueKmers unique(backend, target.strands.view(), build);
  const KmerSpectrum spectrum = unique.spectrum(session.threads);
  Lines lines(table);
  if (header) lines.text() = header_of<SpectrumColumns>;
  for (std::uint64_t i = 0; i < spectrum.size(); ++i) {
    TabbedLine<SpectrumColumns>::append(lines.text(), spectrum[i]);
    lines.write_if_many();
  }
  lines.write();
  if (plot != nullptr) plot->write(spectrum_plot(spectrum));
}

/// The memory of the run, what it takes beside the suffix array counted as used.
HostMemory memory_of_sorting(const MappabilityOptions& options, const TrackTarget& target,
                             const BuildOptions& build) {
  const BothStrandsView& strands = target.strands.view();
  if (options.lengths.empty()) return beside_unique_kmers(strands, build);
  HostMemory memory = build.memory;
  memory.used += frequency_bytes(strands, kmer_lengths(options), options.matching());
  return memory;
}

void print_memory(const MappabilityOptions& options, const TrackTarget& target, Backend& backend,
                  BuildOptions build) {
  const BothStrandsView& strands = target.strands.view();
  const std::string enough = "memory suffices, if few suffixes repeat";
  if (options.lengths.empty()) {
    if (const auto plan = plan_unique_kmers(backend, strands, build))
      return print_build_plan(strands.text, *plan, backend, build, enough, options.plan);
  }
  const auto plan = plan_kmers(backend, strands, kmer_lengths(options), options.matching(), build);
  if (!plan) {
    build.memory = memory_of_sorting(options, target, build);
    return print_sort_plan(strands.text, backend, build, enough, options.plan);
  }
  print_build_plan(strands.text, *plan, backend, build, enough, options.plan);
}

WorkCost cost_of(const MappabilityOptions& options, Amount symbols) {
  WorkCost cost = cost_of_sorting(symbols);
  for (const std::uint32_t k : options.lengths)
    cost += cost_of_kmers(symbols, k, options.mismatches);
  return cost;
}

void run_mappability(const MappabilityOptions& options, const CLI::App& command, Session& session) {
  give_memory_back();
  check_choices(options, command, session.files);
  TextJob job(command, options.target, options.input, session);
  job.take_device(options.device, cost_of(options, job.symbols()), options.plan);
  std::optional<TrackOutputs> tracks;
  Output *spectrum = nullptr, *plot = nullptr;
  if (options.spectrum && !options.plan.asked) {
    check_outputs({options.output.output, options.plot}, session);
    spectrum = &job.outputs().open(options.output.output);
    plot = job.outputs().open_if_named(options.plot);
  } else if (!options.plan.asked) {
    tracks.emplace(options.output, words_of(options), job.outputs(), session);
  }
  if (options.mismatches != 0 && !options.cap && options.umap.empty() && !options.plan.asked)
    log().info("frequencies above 255 count as 255: --cap N counts further, and --cap 0 all");
  const Target read = job.read();
  if (tracks) tracks->require(track_records(read.records()));
  const TrackTarget target(read.source(), options.strand == "both", session.threads);
  const BuildOptions build = build_options(options.input, session);
  if (options.plan.asked) {
    print_memory(options, target, job.backend(), build);
  } else if (spectrum != nullptr) {
    write_spectrum(target, job.backend(), *spectrum, plot, !options.output.no_header, build,
                   session);
  } else if (options.shortest_unique) {
    write_shortest(options, target, job.backend(), *tracks, build, session);
  } else {
    write_frequencies(options, target, job.backend(), *tracks, build, session);
  }
  job.finish();
}

void add_result_options(CLI::App& command, MappabilityOptions& options) {
  begin_group(command, "Results");
  add_numbers(command, "-K,--kmer", options.lengths, {1, 1u << 30},
              "Write a track of the k-mers of K symbols; several K, separated by commas, give as "
              "many files");
  CLI::Option* const frequency =
      add_flag(command, "--frequency", options.frequency,
               "Write how often each k-mer occurs instead of 1 divided by that");
  add_choice(command, "--umap", options.umap, {"single", "multi"},
             "Write what Umap does: single: 1 at positions that a unique k-mer covers; multi: the "
             "fraction of the K k-mers that cover a position which are unique")
      ->excludes(frequency);
  add_number_of(command, "-k,-E,--mismatches", options.mismatches, {0, 1, 2, 3, 4},
                "Count k-mers with up to N mismatches, too (0 to 4; -K is their length)")
      ->default_str("0");
  add_parsed(command, "--cap", "N",
             "Count frequencies above N as N; 0 does not. The default is 255 with -k, which makes "
             "repeats fast, and 0 without",
             [&options](const std::string& text) { options.cap = parse_number(text, {}); });
  add_flag(command, "--shortest-unique", options.shortest_unique,
           "Write the least k for which the k-mer at a position occurs nowhere else");
  add_flag(command, "--spectrum", options.spectrum,
           "Write the numbers of distinct, unique and all k-mers for every k, until all k-mers are "
           "unique");
  add_path(command, "--plot", options.plot,
           "With --spectrum, also write a plot of it, as SVG, to FILE");
  add_choice(
      command, "--strand", options.strand, {"both", "fwd"},
      "Count k-mers on both strands (both), or only as given (fwd); other alphabets than DNA have "
      "one strand");
}

}  // namespace

void add_mappability_command(CLI::App& app, Session& session, Run& run) {
  auto options = std::make_shared<MappabilityOptions>();
  CLI::App* command = add_command(app, "mappability",
                                  "Measure how unique the k-mers of sequences or of an index are");
  command->footer(
      "The mappability of a position is 1/f, where f is the number of places of the k-mer that "
      "begins there, on both strands. A k-mer that is its own reverse complement is counted once "
      "for each place. Positions at which no k-mer of A, C, G and T begins have no value, and no "
      "line. Values are those of the position where the k-mer begins, except with --umap.\n\n"
      "Examples:\n"
      "  gsx mappability -K 50 genome.gsx > k50.bedgraph\n"
      "  gsx mappability -K 36,50,100 genome.fa --bigwig tracks/genome\n"
      "  gsx mappability -K 24 --umap multi genome.gsx --bigwig k24.umap.bw\n"
      "  gsx mappability -K 100 -k 2 genome.gsx --bigwig k100.e2.bw\n"
      "  gsx mappability --shortest-unique genome.gsx --bigwig shortest.bw\n"
      "  gsx mappability --spectrum genome.gsx --plot spectrum.svg > spectrum.tsv");
  add_input_options(*command, options->input);
  add_whole_header_option(*command, options->input);
  add_text_target(*command, options->target);
  add_result_options(*command, *options);
  add_track_output_options(*command, options->output);
  add_plan_options(*command, options->plan, "the memory that the run needs");
  add_device_options(*command, options->device);
  add_session_options(*command, session);
  set_work(*command, run,
           [options, command](Session& started) { run_mappability(*options, *command, started); });
}

}  // namespace gsx::app
