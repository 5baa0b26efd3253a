// gsx merge: the results of shards joined into those of the whole index.
#include <array>
#include <memory>
#include <optional>

#include "base/error.hpp"
#include "base/log.hpp"
#include "bytes/output.hpp"
#include "commands.hpp"
#include "commands/merge_options.hpp"
#include "options/cram_option.hpp"
#include "options/options.hpp"
#include "output/lines/text_format.hpp"
#include "process/process.hpp"

namespace gsx::app {
namespace {

/// The queries one after another.
class MergedQueries {
 public:
  explicit MergedQueries(const MergeOptions& options)
      : source_(options.queries, {.batch_bytes = std::uint64_t{1} << 20,
                                  .tag_files = options.tag_files,
                                  .whole_header = options.whole_header,
                                  .decoding = {.cram = cram_references(options.cram_reference),
                                               .allow_no_eof = true}}) {}

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
  QuerySource source_;
  RecordBatch batch_;
  std::size_t next_ = 0;
};

void run_merge(MergeOptions& options, Session& session) {
  options.check(session);
  const Encoding encoding = encoding_for(options.output);
  if (encoding == Encoding::bgzf)
    refuse_terminal(options.output, "BGZF", "name a file, or leave .gz out of the name");
  PartFiles parts;
  for (const std::string& path : options.parts)
    parts.emplace_back(path);
  const PartKind kind = options.kind(parts);
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
  Output out(options.output, encoding, session.threads);
  std::optional<Output> summary;
  if (!options.summary.empty()) summary.emplace(options.summary, encoding_for(options.summary));
  session.report("merging", -1);
  const MergeFigures figures = merge_parts(kind, parts, rules, !options.no_header, out);
  require_figures(summaries, figures, kind);
  if (summary) summary->write(merged_summary(summaries, figures, rules, index));
  commit_all(std::array{&out, summary ? &*summary : nullptr});
  if (is_by_place(kind)) return log().info("merged {} parts", parts.size());
  log().info("merged {} parts: {} queries, {} with hits", parts.size(), figures.queries,
             figures.with_hits);
}

}  // namespace

void add_merge_command(CLI::App& app, Session& session, Run& run) {
  auto options = std::make_shared<MergeOptions>();
  CLI::App* command =
      app.add_subcommand("merge", "Join the results of the shards of an index into one");
  command->footer(
      "Jobs can search the shards of an index (gsx index --shards) one by one, each with all "
      "queries and the same options; gsx merge then gives the bytes that a search of the manifest "
      "gives. The parts are named in the order of the shards. Counts and totals add up, and hits "
      "follow one another. Parts that are cut, lack queries, or are of other queries or columns "
      "end the run with exit code 3. Name the manifest by -x: then a part that is missing ends it "
      "with 2, and one that names a record or a file of another shard with 3.\n\n"
      "Parts are TSV of count (also --by-record, --by-mismatches, --by-file, --matrix, "
      "--presence), and TSV, BED, PAF, JSON lines and bedGraph of locate. Where a query without "
      "hits has no line (all but count, --matrix, --presence and JSON lines), --queries, -f and -p "
      "name the queries as count and locate had them. Two queries of one name are told apart "
      "where the lines do so; otherwise the parts are refused, and JSON lines are the way. Parts "
      "of "
      "--sort position need -x if several records of a shard have one name.\n\n"
      "Parts of --max-hits are merged from TSV and JSON lines; give the same --max-hits and "
      "-k (0 for an exact search) or --iupac, or their summaries. Not with --circular, which "
      "decides what is kept.\n\n"
      "Examples:\n"
      "  gsx count -x many.003.gsx reads.fq -o part.003.tsv     in the job of shard 3\n"
      "  gsx merge -x many.gsx part.*.tsv -o counts.tsv\n"
      "  gsx merge --queries reads.fq hits.*.bed.gz -o hits.bed.gz\n"
      "  gsx merge hits.*.jsonl --max-hits 10 -k 2 > hits.jsonl\n"
      "  gsx merge part.*.tsv part.*.json --summary all.json -o counts.tsv");
  add_merge_options(*command, *options);
  add_session_options(*command, session);
  command->callback(
      [options, &run] { run = [options](Session& started) { run_merge(*options, started); }; });
}

}  // namespace gsx::app
