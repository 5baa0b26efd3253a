// gsx locate: where each query occurs.
#include <spdlog/fmt/fmt.h>

#include <CLI/App.hpp>
#include <optional>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/messages.hpp"
#include "bytes/output.hpp"
#include "commands.hpp"
#include "commands/locate_format.hpp"
#include "commands/locate_lines.hpp"
#include "inputs/by_file_option.hpp"
#include "options/circular_option.hpp"
#include "options/numbers.hpp"
#include "options/option_kinds.hpp"
#include "options/sort_option.hpp"
#include "output/lines/query_report.hpp"
#include "queries/coverage_output.hpp"
#include "queries/query_checks.hpp"
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
void require_dna(const Alphabet& alphabet, ResultFormat format) {
  if (alphabet.policy() == SymbolPolicy::dna) return;
  const std::string shown = format == ResultFormat::bam ? "BAM" : "SAM";
  throw UsageError(shown + " has letters for nucleotides only, and this index is " +
                   std::string(shown_policy(alphabet.policy())) +
                   "; write TSV, BED, PAF, GFF3 or JSON lines");
}

void run_locate(LocateOptions& options, Session& session) {
  const ResultFormat format = options.format.choose(options.query.output, session.files);
  options.query.sorted = options.sort == "position";
  options.query.memory_cure = "--max-hits, --batch or --memory-limit";
  const bool wants_text = options.format.wants_text(options.query.output);
  const bool covers_text = wants_text && format == ResultFormat::bedgraph;
  const bool is_part = wants_text && format == ResultFormat::part;
  if (options.query.sorted && (covers_text || !wants_text)) {
    throw UsageError(
        "--sort position orders lines of hits, and none are written; leave it out: coverage is in "
        "the order of the targets");
  }
  std::optional<CoverageOutput> coverage;
  if (covers_text || !options.format.bigwig.empty())
    coverage.emplace(covers_text, options.format.bigwig);
  options.query.side_outputs = {options.format.bigwig};
  const bool aligned = wants_text && (format == ResultFormat::sam || format == ResultFormat::bam);
  options.query.binary = format == ResultFormat::bam;
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
  const LocateLines lines{{format, options.query.sorted, options.query.by_file}};
  if (is_part) {
    require_part_output(options.query);
    if (!options.query.regions.empty() && options.max_hits != 0) {
      throw UsageError(
          "--max-hits with -R: which hits are kept is decided among those of all shards; leave out "
          "one of the two");
    }
    options.query.sorted = false;  // merge sorts
  } else {
    if (options.query.by_file && !wants_text)
      throw UsageError("--by-file: bigwig has no names of files; choose tsv, paf, gff3 or jsonl");
    lines.require_possible();
  }
  QueryCommand command{"locate", ""};
  if (is_part)
    command.part =
        options.query.with_mismatches() ? PartContent::mismatched_hits : PartContent::hits;
  // CIGARs are made of symbols.
  command.needs_bases_only = !wants_text || (!aligned && !is_part && format != ResultFormat::paf);
  command.reads_text = aligned || (options.query.with_mismatches() && !command.needs_bases_only);
  if (!options.query.equal.empty()) command.cpu_work = "--equal searches";
  command.coverage = coverage ? &*coverage : nullptr;
  command.take_sides = [&](const std::vector<Output*>& sides) {
    if (coverage) coverage->take(sides.front());
  };
  command.options = {{"format", wants_text ? name_of(format) : "bigwig"},
                     {"max_hits", options.max_hits},
                     {"sort", options.sort},
                     {"by_file", options.query.by_file}};
  const auto circular_in = [&](const Index& index) {
    return circular_records(index.records(), index.alphabet(), options.query.circular);
  };
  std::optional<AlignmentHeader> header;
  MismatchText text;
  if (aligned) {
    command.header_of = [&](const Index& index) {
      require_dna(index.alphabet(), format);
      text = {index.text(), options.query.iupac};
      header.emplace(index.records(), index.md5s(), options.query.binary, circular_in(index));
      return header->bytes();
    };
  }
  if (wants_text && !aligned && !covers_text && !is_part) {
    command.header_of = [&](const Index& index) {
      return lines.header(index.records(), circular_in(index));
    };
    command.sort_header = [&](const Index& index, LineSorter::Collector& sorter) {
      lines.sort_header(index.records(), index.fm().segments, circular_in(index), sorter);
    };
  }
  const QueryFigures figures =
      run_queries(options.query, session, command,
                  [&](QueryRun run, const QueryTargets& targets, LineSorter* sorter) {
                    run.request.max_hits = options.most();
                    if (covers_text || !wants_text) return make_silent_locate_task(run);
                    if (is_part) return make_part_task(run, targets, *command.part);
                    if (aligned) return make_alignment_task(run, targets, *header, text);
                    return make_locate_task(run, targets, format, sorter, options.query.by_file);
                  });
  if (wants_text && is_track(format) && !options.query.sorted &&
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
  CLI::App* command = add_command(app, "locate", "Find where each query occurs");
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
      "the end and from 0; SAM and BAM have one alignment that ends behind its reference, and GFF3 "
      "says in a line before the hits which records are circular. A place "
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
  begin_group(*command, "Output");
  add_number(*command, "--max-hits", options->max_hits, {},
             "Write at most N hits per query (0: all). They are the first in suffix order, with -k "
             "or --iupac those with the fewest mismatches; n_total, n_reported and truncated tell "
             "what was left out");
  add_by_file_option(*command, options->query.by_file,
                     "file_id in TSV, JSON lines and GFF3, the tag fi in PAF");
  add_locate_format_options(*command, options->format);
  add_sort_option(*command, options->sort, "hits", "query, as in the input",
                  "; not for JSON lines, SAM and BAM (samtools sort sorts these)");
  add_session_options(*command, session, more_threads_with_mismatches);
  set_work(*command, run, [options](Session& started) { run_locate(*options, started); });
}

}  // namespace gsx::app
