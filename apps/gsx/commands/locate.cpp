// gsx locate: where each query occurs.
#include <spdlog/fmt/fmt.h>

#include <optional>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/messages.hpp"
#include "bytes/output.hpp"
#include "commands.hpp"
#include "commands/locate_coverage.hpp"
#include "commands/locate_format.hpp"
#include "options/circular_option.hpp"
#include "options/numbers.hpp"
#include "options/option_kinds.hpp"
#include "output/lines/query_report.hpp"
#include "outputs/track_outputs.hpp"
#include "queries/query_run.hpp"

namespace gsx::app {
namespace {

struct LocateOptions {
  QueryOptions query;
  LocateFormatOptions format;
  std::uint64_t max_hits = 0;
  std::string sort = "query";

  std::uint64_t most() const { return max_hits == 0 ? unlimited : max_hits; }
};

/// Refuses an index whose symbols alignments have no letters for.
void require_dna(const Alphabet& alphabet, LocateFormat format) {
  if (alphabet.policy() == SymbolPolicy::dna) return;
  const std::string shown = format == LocateFormat::bam ? "BAM" : "SAM";
  throw UsageError(shown + " has letters for nucleotides only, and this index is " +
                   std::string(shown_policy(alphabet.policy())) +
                   "; write TSV, BED, PAF or JSON lines");
}

/// Throws UsageError if the output has no place for the names of files.
void require_format_with_files(const LocateOptions& options, LocateFormat format, bool wants_text) {
  if (!options.query.by_file) return;
  const bool has_place =
      format == LocateFormat::tsv || format == LocateFormat::paf || format == LocateFormat::jsonl;
  if (has_place && wants_text) return;
  throw UsageError("--by-file names files in TSV, PAF and JSON lines, not in " +
                   (wants_text ? name_of(format) : "bigwig"));
}

void run_locate(LocateOptions& options, Session& session) {
  const LocateFormat format = options.format.choose(options.query.output);
  options.query.sorted = options.sort == "position";
  options.query.memory_cure = "--max-hits, --batch or --memory-limit";
  if (options.query.sorted && format == LocateFormat::jsonl) {
    throw UsageError("--sort position needs one line per hit, but --jsonl writes one per query");
  }
  const bool wants_text = options.format.wants_text(options.query.output);
  const bool covers_text = wants_text && format == LocateFormat::bedgraph;
  if (options.query.sorted && (covers_text || !wants_text)) {
    throw UsageError(
        "--sort position orders lines of hits, and none are written; leave it out: coverage is in "
        "the order of the targets");
  }
  std::optional<CoverageOutput> coverage;
  if (covers_text || !options.format.bigwig.empty())
    coverage.emplace(covers_text, options.format.bigwig);
  if (!options.format.bigwig.empty()) options.query.side_outputs.push_back(options.format.bigwig);
  const bool aligned = wants_text && (format == LocateFormat::sam || format == LocateFormat::bam);
  options.query.binary = format == LocateFormat::bam;
  options.query.qualities = aligned;
  if (options.query.sorted && aligned) {
    throw UsageError("--sort position does not sort alignments; give them to samtools sort");
  }
  if (options.query.reading.whole_header && aligned) {
    throw UsageError(
        "--whole-header: names in SAM and BAM have no blanks; leave it out, or choose another "
        "format");
  }
  if (options.query.no_header && options.query.binary)
    throw UsageError("--no-header: BAM cannot be without its header; write SAM");
  require_format_with_files(options, format, wants_text);
  const char* const header_line = options.query.by_file ? locate_header_with_files : locate_header;
  QueryCommand command{"locate", wants_text && format == LocateFormat::tsv ? header_line : ""};
  // CIGARs are made of symbols.
  command.needs_bases_only = !wants_text || (!aligned && format != LocateFormat::paf);
  if (!options.query.equal.empty()) command.cpu_work = "--equal searches";
  command.coverage = coverage ? &*coverage : nullptr;
  command.options = {{"format", wants_text ? name_of(format) : "bigwig"},
                     {"max_hits", options.max_hits},
                     {"sort", options.sort},
                     {"by_file", options.query.by_file}};
  std::optional<AlignmentHeader> header;
  MismatchText text;
  if (aligned) {
    command.header_of = [&](const Index& index) {
      require_dna(index.alphabet(), format);
      text = {index.text(), options.query.iupac};
      header.emplace(index.records(), index.md5s(), options.query.binary,
                     circular_records(index.records(), index.alphabet(), options.query.circular));
      return header->bytes();
    };
  }
  if (wants_text && format == LocateFormat::bed && options.query.sorted) {
    command.header_of = [](const Index& index) {
      warn_of_shared_name(track_records(index.records()), "BED");
      return std::string();
    };
  }
  const QueryFigures figures =
      run_queries(options.query, session, command,
                  [&](QueryRun run, const QueryTargets& targets, LineSorter* sorter) {
                    run.request.max_hits = options.most();
                    if (covers_text || !wants_text) return make_silent_locate_task(run);
                    if (aligned) return make_alignment_task(run, targets, *header, text);
                    return make_locate_task(run, targets, format, sorter, options.query.by_file);
                  });
  if (wants_text && format == LocateFormat::bed && !options.query.sorted &&
      encoding_for(options.query.output) == Encoding::bgzf) {
    log().info(
        "{}: the lines are in the order of the queries; --sort position orders them for tabix",
        printable(options.query.output));
  }
  if (figures.truncated > 0) {
    log().warn(
        "{} more than {}; only {} of each {} written (--max-hits)",
        figures.truncated == 1 ? "1 query has" : fmt::format("{} queries have", figures.truncated),
        options.most() == 1 ? "1 hit" : fmt::format("{} hits", options.most()), options.most(),
        options.most() == 1 ? "was" : "were");
  }
}

}  // namespace

void add_locate_command(CLI::App& app, Session& session, Run& run) {
  auto options = std::make_shared<LocateOptions>();
  CLI::App* command = app.add_subcommand("locate", "Find where each query occurs");
  command->footer(
      "Output: TSV, one line per hit: query_id, target_id, start, end, strand, "
      "mismatches (0 without -k), n_total, n_reported, truncated (yes or no). Coordinates are "
      "0-based and half-open, on the forward strand of the target. Strand - means that "
      "the reverse complement of the query occurs there; a place that matches on both strands has "
      "a hit for each, or with --palindromes once one. Queries keep their order; the "
      "hits of a query are sorted by target, start and strand. A query without hits has "
      "no line (in JSON lines, an object without hits; in SAM and BAM, an unmapped "
      "alignment).\n\n"
      "SAM and BAM are for DNA. Every hit of a query is an alignment; the one with the fewest "
      "mismatches, of equal ones the first, is primary, and the others are secondary. The mapping "
      "quality is that of STAR: 255 for a query with one hit, 3 for two, 1 for three and four, 0 "
      "for more. Tags: NH (all hits of the query, also where --max-hits writes fewer), HI (number "
      "of the hit, from 1), NM and MD (the letters of SEQ that are not the base of the target: an "
      "IUPAC code such as N differs from every base) and xm (the mismatches of the search, with "
      "--iupac). Each query stands for itself: mates are not paired, and keep "
      "their names.\n\n" +
      std::string(mismatch_notes) +
      "\n\n"
      "With --circular, a place that spans the origin of a record ends behind the end of the "
      "record: its end is greater than the record's length. In BED and PAF it is two lines, up to "
      "the end and from 0; SAM and BAM have one alignment that ends behind its reference. A place "
      "holds no symbol twice, so a query longer than a circular record "
      "does not occur in it; and N beside the origin breaks the circle. With --max-hits and "
      "without -k, places that span an origin come last.\n\n"
      "With --bedgraph or --bigwig FILE, the output is coverage: the number of hits over each "
      "position of the targets, both strands together; --strand fwd or rev counts one strand. "
      "Positions without hits have no line. --bigwig FILE writes hits as well if -o or a format is "
      "given. This takes 2 bytes of memory per symbol of the index.\n\n"
      "Examples:\n"
      "  gsx locate reads.fq.gz --bed > hits.bed\n"
      "  gsx locate genome.gsx reads.fq.gz -o hits.bed.gz\n"
      "  gsx locate -x genome.gsx -k 3 reads.fq.gz -o hits.bam\n"
      "  gsx locate -x genome.gsx reads.fq.gz --bigwig coverage.bw\n"
      "  gsx locate -x genome.gsx reads.fq.gz --bigwig coverage.bw -o hits.bam\n"
      "  gsx locate -x genome.gsx -p TTAGGGTTAGGG --max-hits 100\n"
      "  gsx locate -x genome.gsx --circular chrM reads.fq.gz");
  add_query_options(*command, options->query);
  add_number(*command, "--max-hits", options->max_hits, {},
             "Write at most N hits per query, the first in suffix order, with -k or --iupac those "
             "with the fewest mismatches; 0 writes all. "
             "n_total, n_reported and truncated tell what was left out")
      ->group("Output");
  command
      ->add_flag("--by-file", options->query.by_file,
                 "Add the input file of each target, of an index made with --files: the column "
                 "file_id in TSV and JSON lines, the tag fi in PAF")
      ->group("Output");
  add_locate_format_options(*command, options->format);
  add_choice(
      *command, "--sort", options->sort, {"query", "position"},
      "Order the lines by query, as in the input, or by position, as tabix needs it: target, "
      "start, strand; not for JSON lines, SAM and BAM (samtools sort sorts these). What memory "
      "does not hold is sorted in $TMPDIR")
      ->group("Output");
  add_session_options(*command, session, more_threads_with_mismatches);
  command->callback(
      [options, &run] { run = [options](Session& started) { run_locate(*options, started); }; });
}

}  // namespace gsx::app
