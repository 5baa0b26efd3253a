// gsx merge: the results of shards joined into those of the whole index.
#include <CLI/App.hpp>
#include <algorithm>
#include <memory>
#include <optional>

#include "base/error.hpp"
#include "base/log.hpp"
#include "bytes/outputs.hpp"
#include "commands.hpp"
#include "commands/merge_options.hpp"
#include "commands/merge_parts.hpp"
#include "options/cram_option.hpp"
#include "options/format_suffix.hpp"
#include "options/option_kinds.hpp"
#include "options/options.hpp"
#include "output/lines/text_format.hpp"
#include "run/query_memory.hpp"

namespace gsx::app {
namespace {

/// The queries one after another.
class MergedQueries {
 public:
  explicit MergedQueries(const MergeOptions& options)
      : source_(options.queries, reading(options), options.tag_files) {}

  bool next(MergedQuery& query) {
    while (next_ == batch_.size()) {
      next_ = 0;
      if (!source_.next(batch_)) return false;
    }
    query.name = batch_.name(next_);
    query.column.clear();
    append_name(query.column, query.name);
    query.length = batch_.length(next_++);
    return true;
  }

 private:
  static ReaderOptions reading(const MergeOptions& options) {
    ReaderOptions reading =
        reader_options(plan_query_memory({.batch_bytes = std::uint64_t{1} << 20}), 1,
                       cram_references(options.cram_reference));
    reading.whole_header = options.whole_header;
    return reading;
  }

  QuerySource source_;
  RecordBatch batch_;
  std::size_t next_ = 0;
};

/// Opens the parts. Throws UsageError if some are files of --format part, and others are not.
std::vector<PartSource> open_parts(const std::vector<std::string>& paths) {
  std::vector<PartSource> sources;
  for (const std::string& path : paths)
    sources.push_back(open_part(path));
  const bool any = std::ranges::any_of(sources, &PartSource::is_part_file);
  for (std::size_t i = 0; i < paths.size(); ++i)
    sources[i].require_whole_start(format_suffix(paths[i]) == "part", any);
  for (const PartSource& source : sources) {
    if (source.is_part_file() == any) continue;
    throw UsageError("'" + std::ranges::find_if(sources, &PartSource::is_part_file)->label +
                     "' is a file of --format part, and '" + source.label +
                     "' is not: make all parts in one format");
  }
  return sources;
}

void run_merge(MergeOptions& options, Session& session) {
  options.check(session);
  std::vector<PartSource> sources = open_parts(options.parts);
  if (sources.front().is_part_file()) return merge_part_files(options, std::move(sources), session);
  options.require_summaries();
  PartFiles parts;
  for (PartSource& source : sources)
    parts.emplace_back(std::move(source));
  const PartKind kind = options.kind(parts, session);
  options.expect_shards(parts, kind, session.threads);
  std::vector<PartSummary> summaries;
  for (const std::string& path : options.summaries)
    summaries.emplace_back(path);
  require_alike(summaries);
  const WholeIndex index = whole_index(options.whole, summaries);
  options.take_options(summaries, kind);
  const bool by_file =
      kind == PartKind::matrix || kind == PartKind::presence || kind == PartKind::files;
  if ((options.min_files != 0 || options.max_files != 0) && !by_file)
    throw UsageError("--min-files and --max-files are for parts of count --by-file");
  const bool lists_hits = kind == PartKind::tsv || kind == PartKind::jsonl;
  if (options.max_hits != 0 && !lists_hits)
    throw UsageError("--max-hits: which hits are kept is in TSV and JSON lines of locate only");
  std::optional<MergedQueries> queries;
  MergeRules rules;
  if (!options.queries.empty()) {
    queries.emplace(options);
    rules.next = [&](MergedQuery& query) { return queries->next(query); };
  } else if (!has_every_query(kind) && !is_by_place(kind)) {
    throw UsageError(
        "queries without hits have no line in these parts, so the order of the others is not "
        "known: name the queries with --queries FILE, -f or -p, as gsx count and gsx locate had "
        "them");
  }
  if (options.max_hits != 0) rules.max_hits = options.max_hits;
  rules.has_all_hits = !summaries.empty() && options.max_hits == 0;
  rules.mismatches = options.mismatches != 0 || options.iupac;
  rules.most_mismatches = options.mismatches;
  rules.files = WantedFiles::between(options.min_files, options.max_files);
  Outputs outputs(session.threads);
  Output& out = outputs.open(options.output);
  Output* const summary = outputs.open_if_named(options.summary);
  session.report("merging", -1);
  const MergeFigures figures = merge_parts(kind, parts, rules, !options.no_header, out);
  require_figures(summaries, figures, kind);
  if (summary != nullptr) summary->write(merged_summary(summaries, figures, rules, index));
  outputs.commit();
  if (is_by_place(kind)) return log().info("merged {}", counted(parts.size(), "part", "parts"));
  log().info("merged {}: {}, {} with hits", counted(parts.size(), "part", "parts"),
             counted(figures.queries, "query", "queries"), figures.with_hits);
}

}  // namespace

void add_merge_command(CLI::App& app, Session& session, Run& run) {
  auto options = std::make_shared<MergeOptions>();
  CLI::App* command =
      add_command(app, "merge", "Join the results of the shards of an index into one");
  command->footer(
      "Jobs can search the shards of an index (gsx index --shards) one by one, each with all "
      "queries and the same options; gsx merge then gives the bytes that a search of the manifest "
      "gives. The parts are named in the order of the shards. Name the manifest by -x: then a part "
      "that is missing ends the run with exit code 2, and one of another shard with 3. Parts that "
      "are cut or damaged, lack queries, or are of other queries or options end it with 3.\n\n"
      "Files of --format part are the way: they hold what was found, and how, so merge needs no "
      "options for them, and writes any format: of gsx count TSV, also --matrix and --presence of "
      "parts of --by-file; of gsx locate TSV, BED, PAF, JSON lines, GFF3 and bedGraph, by --format "
      "or the name of the output, and in either order by --sort. --max-hits and --circular of the "
      "search hold for the whole. They also hold their summaries, for --summary.\n\n"
      "Parts may also be text: TSV of count (also --by-record, --by-mismatches, --by-file, "
      "--matrix, "
      "--presence), and TSV, BED, PAF, JSON lines and bedGraph of locate; the output is in the "
      "same "
      "format. Where a query without "
      "hits has no line (all but count, --matrix, --presence and JSON lines), --queries, -f and -p "
      "name the queries as count and locate had them. Two queries of one name are told apart "
      "where the lines do so; otherwise the parts are refused. Parts of "
      "--sort position need -x if several records of a shard have one name. Parts of --max-hits "
      "are "
      "merged from TSV and JSON lines; give the same --max-hits and "
      "-k (0 for an exact search) or --iupac, or their summaries. Not with --circular, which "
      "decides what is kept.\n\n"
      "Examples:\n"
      "  gsx count -x many.003.gsx reads.fq -o 003.part         in the job of shard 3\n"
      "  gsx merge -x many.gsx *.part -o counts.tsv --summary counts.json\n"
      "  gsx merge -x many.gsx hits.*.part --sort position -o hits.bed.gz\n"
      "  gsx merge --queries reads.fq hits.*.bed.gz -o hits.bed.gz\n"
      "  gsx merge hits.*.jsonl --max-hits 10 -k 2 > hits.jsonl\n"
      "  gsx merge part.*.tsv part.*.json --summary all.json -o counts.tsv");
  add_merge_options(*command, *options);
  add_session_options(*command, session);
  set_work(*command, run, [options](Session& started) { run_merge(*options, started); });
}

}  // namespace gsx::app
