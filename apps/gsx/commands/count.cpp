// gsx count: how often each query occurs.
#include <CLI/App.hpp>

#include "base/error.hpp"
#include "base/log.hpp"
#include "commands.hpp"
#include "options/format_option.hpp"
#include "options/numbers.hpp"
#include "options/option_kinds.hpp"
#include "output/lines/count_lines.hpp"
#include "output/lines/query_report.hpp"
#include "queries/query_checks.hpp"
#include "queries/query_run.hpp"

namespace gsx::app {
namespace {

struct CountOptions {
  QueryOptions query;
  FormatOption format;
  bool by_record = false;
  bool by_mismatches = false;
  bool matrix = false;
  bool presence = false;
  std::uint64_t min_files = 0, max_files = 0;
  bool mismatches_given = false;  ///< whether -k was, be it with 0

  FileCountOptions by_file() const {
    return {matrix     ? FileCountForm::matrix
            : presence ? FileCountForm::presence
                       : FileCountForm::lines,
            WantedFiles::between(min_files, max_files)};
  }

  PartContent content() const {
    return by_record       ? PartContent::record_counts
           : query.by_file ? PartContent::file_counts
           : by_mismatches ? PartContent::mismatch_counts
                           : PartContent::counts;
  }

  std::string header() const {
    return by_record       ? record_counts_header
           : by_mismatches ? mismatch_count_header(query.rules().mismatches)
                           : count_header;
  }
};

void run_count(CountOptions& options, Session& session) {
  if (options.by_mismatches && !options.mismatches_given && !options.query.iupac)
    throw UsageError("--by-mismatches needs -k or --iupac");
  const bool is_part =
      options.format.choose(options.query.output, session.files) == ResultFormat::part;
  if (is_part) require_part_output(options.query);
  QueryCommand command{"count",
                       options.header(),
                       {{"by_record", options.by_record},
                        {"by_mismatches", options.by_mismatches},
                        {"by_file", options.query.by_file},
                        {"matrix", options.matrix},
                        {"presence", options.presence},
                        {"min_files", options.min_files},
                        {"max_files", options.max_files}}};
  if (is_part) command.part = options.content();
  command.needs_bases_only = !is_part;
  if (!options.query.equal.empty()) command.cpu_work = "--equal searches";
  const FileCountOptions by_file = options.by_file();
  if (options.query.by_file && !is_part) {
    command.header_of = [&](const Index& index) {
      const SourceFilesView& files = index.records().files;
      if (by_file.wanted.least > files.size())
        log().warn("--min-files {}: the index has {} file{}, so no query is written",
                   by_file.wanted.least, files.size(), files.size() == 1 ? "" : "s");
      return file_counts_header(by_file.form, files);
    };
  }
  run_queries(options.query, session, command,
              [&](const QueryRun& run, const QueryTargets& targets, LineSorter*) {
                return is_part                 ? make_part_task(run, targets, options.content())
                       : options.by_record     ? make_record_count_task(run, targets)
                       : options.query.by_file ? make_file_count_task(run, targets, by_file)
                       : options.by_mismatches ? make_mismatch_count_task(run)
                                               : make_count_task(run);
              });
}

}  // namespace

void add_count_command(CLI::App& app, Session& session, Run& run) {
  auto options = std::make_shared<CountOptions>();
  CLI::App* command = add_command(app, "count", "Count how often each query occurs");
  command->footer(
      "Output: TSV, one line per query, in input order: query_id, length, count, "
      "count_fwd, count_rev. count is count_fwd + count_rev, also where a query matches one place "
      "on both strands, as one that is its own reverse complement does; --palindromes once counts "
      "such a place once. A query has count 0 if it holds a symbol outside the "
      "alphabet (N, IUPAC codes; with -k they are mismatches), if it is empty, or if it is "
      "longer than every stretch of symbols in the text.\n\n"
      "With --by-file, for an index made with --files (or the files of -r): one line per query and "
      "file with hits: query_id, file_id, count, count_fwd, count_rev, files in the order of the "
      "index. --matrix and --presence write one line per query instead, with a column per file. A "
      "file is named without folders and suffixes, or as gsx index --input-list named it.\n\n" +
      std::string(mismatch_notes) +
      "\n\n"
      "Examples:\n"
      "  gsx count reads.fq.gz\n"
      "  gsx count genome.gsx reads.fq.gz -o counts.tsv.gz\n"
      "  gsx count -x genome.gsx -p ACGTACGT -p TTAGGG\n"
      "  gsx count -x genome.gsx -f kmers.txt\n"
      "  gsx count -x genome.gsx -k 2 --by-mismatches -f probes.txt\n"
      "  gsx count -x bacteria.gsx --by-file --presence --min-files 2 -f genes.txt\n"
      "  gsx count -x bacteria.gsx --by-file --max-files 1 kmers.fa\n"
      "  gsx count -x genome.gsx --iupac -p GGCCNNNNNGGCC\n"
      "  gsx count -x proteins.gsx --equal IL -f peptides.txt\n"
      "  zcat reads.fq.gz | gsx count -x genome.gsx - | awk '$3 > 1'");
  add_query_options(*command, options->query);
  begin_group(*command, "Output");
  options->format.add(
      *command, {{ResultFormat::tsv}, {ResultFormat::part}},
      "Write this format (default: the one that the suffix of -o names, also before .gz, and "
      "otherwise tsv); part is a partial result, of a shard, for gsx merge");
  auto* by_record =
      add_flag(*command, "--by-record", options->by_record,
               "Write one line per query and record with hits: query_id, target_id, count, "
               "count_fwd, count_rev");
  add_flag(*command, "--by-mismatches", options->by_mismatches,
           "Add the columns count_0, count_1, ...: the places with so many mismatches")
      ->excludes(by_record);
  auto* by_file = add_flag(*command, "--by-file", options->query.by_file,
                           "Write one line per query and input file with hits, of an index "
                           "made with --files")
                      ->excludes(by_record)
                      ->excludes("--by-mismatches");
  auto* matrix = add_flag(*command, "--matrix", options->matrix,
                          "With --by-file: write one line per query, with its count in each file")
                     ->needs(by_file);
  add_flag(*command, "--presence", options->presence,
           "With --by-file: write one line per query, with 1 for each file that holds it and "
           "0 for the others")
      ->needs(by_file)
      ->excludes(matrix);
  add_number(*command, "--min-files", options->min_files, {},
             "With --by-file: leave out queries that fewer than N files hold")
      ->needs(by_file);
  add_number(*command, "--max-files", options->max_files, {},
             "With --by-file: leave out queries that more than N files hold; --min-files 1 "
             "--max-files 1 keeps those of exactly one file, and 0 leaves out none")
      ->needs(by_file);
  add_session_options(*command, session, more_threads_with_mismatches);
  set_work(*command, run, [options, command](Session& started) {
    options->mismatches_given = command->count("--mismatches") != 0;
    run_count(*options, started);
  });
}

}  // namespace gsx::app
