// gsx mem: the maximal matches of each query.
#include <spdlog/fmt/fmt.h>

#include <CLI/App.hpp>
#include <memory>

#include "base/error.hpp"
#include "commands.hpp"
#include "commands/match_format.hpp"
#include "commands/mem_pairs.hpp"
#include "inputs/by_file_option.hpp"
#include "options/numbers.hpp"
#include "options/option_kinds.hpp"
#include "options/starting_backend.hpp"
#include "queries/query_run.hpp"
#include "run/match_tasks.hpp"

namespace gsx::app {
namespace {

/// Bytes of a batch for a GPU, which takes about as long as its longest walk: a larger batch costs
/// little more.
constexpr std::uint64_t gpu_batch = std::uint64_t{8} << 20;

struct MemOptions {
  QueryOptions query;
  FormatOption format;
  PairOptions pairs;
  std::uint64_t min_length = 31;
  std::uint64_t min_occ = 1;
  std::uint64_t max_occ = 0;
  std::uint64_t max_hits = 0;
  bool places = false;  ///< also if --max-hits is given
  bool coverage = false;

  static std::uint64_t most(std::uint64_t asked) { return asked == 0 ? unlimited : asked; }
  /// What is asked for. Throws UsageError for what a format does not have.
  MatchRules rules(RunFiles& files) const {
    MatchRules rules;
    rules.request = {query.strands(), min_length};
    rules.min_occ = min_occ;
    rules.max_occ = most(max_occ);
    rules.max_hits = most(max_hits);
    rules.format = format_of_matches(format, query.output, files);
    rules.places = places || query.by_file;
    rules.by_file = query.by_file;
    require_file_names({rules.format, false, rules.by_file});
    if (rules.places && coverage)
      throw UsageError("--coverage writes no places; leave out --places, --max-hits and --by-file");
    if (coverage && rules.format != ResultFormat::tsv)
      throw UsageError("--coverage is TSV; leave out --" + name_of(rules.format));
    if (rules.places && rules.format == ResultFormat::bed) {
      throw UsageError(
          "BED is on the queries, without places; for those, write TSV, PAF or JSON lines");
    }
    if (rules.min_occ > rules.max_occ) {
      throw UsageError(
          fmt::format("--min-occ {} is more than --max-occ {}", rules.min_occ, rules.max_occ));
    }
    return rules;
  }
};

void run_mem(MemOptions& options, Session& session) {
  const MatchRules rules = options.rules(session.files);
  options.query.with_rules = false;
  if (!options.query.batch_given && may_start_gpu(options.query.device.device))
    options.query.batch = gpu_batch;
  QueryCommand command{"mem", ""};
  if (options.coverage) {
    command.header = coverage_header;
  } else if (rules.format == ResultFormat::tsv) {
    command.header = match_header(rules.places, rules.by_file);
  }
  command.options = {{"format", name_of(rules.format)},  {"min_length", options.min_length},
                     {"min_occ", options.min_occ},       {"max_occ", options.max_occ},
                     {"max_hits", options.max_hits},     {"places", rules.places},
                     {"by_file", options.query.by_file}, {"coverage", options.coverage}};
  command.work = QueryWork::maximal_matches;
  command.found = {"match", "matches", options.min_length};
  run_queries(options.query, session, command,
              [&](const QueryRun& run, const QueryTargets& targets, LineSorter*) {
                return options.coverage ? make_coverage_task(run, rules)
                                        : make_match_task(run, targets, rules);
              });
}

}  // namespace

void add_mem_command(CLI::App& app, Session& session, Run& run) {
  auto options = std::make_shared<MemOptions>();
  CLI::App* command = add_command(app, "mem", "Find the maximal matches of each query in the text");
  command->footer(
      "A maximal match (SMEM) is an interval of the query of at least L symbols that occurs in "
      "the text, on either strand, and lies in no longer such interval. Symbols outside the "
      "alphabet (N) match nothing, and nothing matches across the end of a record or a run of "
      "N.\n\n"
      "Output: TSV, one line per match, in the order of the query: query_id, qstart, qend, length, "
      "n_fwd, n_rev (its occurrences as given and as reverse complement). With --places, one line "
      "per place: these columns, then target_id, tstart, tend, strand, n_total, n_reported, "
      "truncated (yes or no). Coordinates are 0-based and half-open: those of the query on the "
      "query as given, those of the target on its forward strand. Strand - means that the reverse "
      "complement of the match occurs there. A query without matches has no line (in JSON lines "
      "an object, in fastmap a block, both empty). A warning counts the queries without L symbols "
      "of the alphabet in a row; if all are such, and not for N alone, the exit code is 3.\n\n"
      "With --pairs, a match is a pair of places (MEM), one of the target and one of a query, that "
      "are equal over at least L symbols and can be extended on neither side: gsx mem --pairs "
      "TARGET.fa QUERY.fa. The first file is the target, unless -x or -r names it. Every pair is "
      "written, those of repeats too: TSV with query_id, qstart, qend, length, target_id, tstart, "
      "tend, strand, in the order of the queries, then by strand (+ first), qstart, target, tstart "
      "and tend. What is compared is the text; an index only saves reading FASTA. " +
      pair_notes() +
      "\n\nExamples:\n"
      "  gsx mem genome.gsx reads.fq.gz -L 31 -o matches.tsv.gz\n"
      "  gsx mem -x genome.gsx reads.fq.gz --max-hits 20 --paf\n"
      "  gsx mem -x host.gsx reads.fq.gz --coverage\n"
      "  gsx mem -x genome.gsx -p ACGTACGTTTGACA -L 8\n"
      "  gsx mem --pairs human.fa mouse.fa -L 50 --paf -o pairs.paf.gz\n"
      "  gsx mem --pairs a.fa b.fa -L 20 --mum --mummer > mums.txt");
  add_query_inputs(*command, options->query);
  CLI::Option* const index = command->get_option("--index");
  index->description(index->get_description() + ". With --pairs, an index is the target only if " +
                     "this or the first argument names it");
  begin_group(*command, "Search");
  add_number(*command, "-L,--min-length", options->min_length, {1, std::uint64_t{1} << 40},
             "Find matches of at least L symbols");
  add_strand_option(*command, options->query.strand);
  add_pair_options(*command, options->pairs);
  command->get_option("--allow-no-eof")
      ->remove_needs(command->get_option("--reference"));  // the target of --pairs is a file, too
  add_number(*command, "--min-occ", options->min_occ, {1, unlimited},
             "Write only matches that occur at least N times, both strands together");
  add_number(*command, "--max-occ", options->max_occ, {},
             "Write only matches that occur at most N times; in the format fastmap, write * for "
             "the places of others. 0 is no limit");
  add_query_outputs(*command, options->query, "matches");
  begin_group(*command, "Output");
  add_flag(*command, "--places", options->places, "Write where each match occurs");
  add_number(*command, "--max-hits", options->max_hits, {},
             "Write at most N places per match, the first in suffix order, which implies --places; "
             "0 writes all. n_total, n_reported and truncated tell what was left out")
      ->each([options](const std::string&) { options->places = true; });
  add_by_file_option(*command, options->query.by_file,
                     "file_id in TSV and JSON lines, the tag fi in PAF. This implies --places");
  add_match_format_options(*command, options->format);
  add_flag(*command, "--coverage", options->coverage,
           "Write one line per query instead: query_id, length, n_matches, covered (symbols "
           "that lie in a match)");
  add_query_resources(*command, options->query,
                      "; cuda:N,M,... and cuda:all share the queries among several");
  add_session_options(*command, session, more_threads_with_gpu);
  command->callback([options, command, &run] {
    check_pair_options(*command, options->pairs);
    if (options->query.reading.allow_no_eof && options->query.references.empty() &&
        !options->pairs.pairs)
      throw UsageError("--allow-no-eof is about -r and the target of --pairs; leave it out");
    run = [options](Session& started) {
      if (options->pairs.pairs) {
        run_pairs(options->pairs, options->query, options->format, options->min_length, started);
      } else {
        run_mem(*options, started);
      }
    };
  });
}

}  // namespace gsx::app
