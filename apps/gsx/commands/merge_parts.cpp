#include "commands/merge_parts.hpp"

#include <deque>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/messages.hpp"
#include "bytes/outputs.hpp"
#include "commands/locate_lines.hpp"
#include "commands/part_shards.hpp"
#include "output/lines/count_lines.hpp"
#include "output/lines/hit_lines.hpp"
#include "output/lines/query_report.hpp"
#include "output/merge/part_join.hpp"
#include "process/environment.hpp"
#include "queries/coverage_output.hpp"
#include "run/query_memory.hpp"

namespace gsx::app {
namespace {

/// Throws UsageError for what text has to be told, and parts tell.
void refuse_told_options(const MergeOptions& options) {
  const std::pair<const char*, bool> told[] = {
      {"--queries", !options.queries.files.empty()},
      {"--parts-format", !options.parts_format.empty()},
      {"-p", !options.queries.patterns.empty()},
      {"-f", !options.queries.pattern_files.empty()},
      {"--tag-files", options.tag_files},
      {"--whole-header", options.whole_header},
      {"--cram-reference", !options.cram_reference.empty()},
      {"--max-hits", options.has_max_hits},
      {"-k", options.has_mismatches},
      {"--iupac", options.iupac},
      {"a name that ends in .json", !options.summaries.empty()}};
  for (const auto& [name, given] : told)
    if (given)
      throw UsageError(std::string(name) +
                       ": files of --format part tell all of it themselves; leave it out");
}

/// Reads the parts, and writes what they hold.
class PartMerge {
 public:
  PartMerge(const MergeOptions& options, std::vector<PartSource> sources, Session& session)
      : options_(options), session_(session), outputs_(session.threads) {
    for (PartSource& source : sources)
      parts_.emplace_back(std::move(source), targets_);
    targets_.finish();
    rules_.files = wanted_files();
    join_.emplace(parts_);
    index_ = require_shards(parts_, options.index);
  }

  void run() {
    const bool locates = holds_hits(content());
    const ResultFormat format = locates ? options_.format.choose(options_.output, session_.files)
                                        : options_.format.choose(options_.output, session_.files,
                                                                 "-o", {ResultFormat::tsv});
    lines_ = {{format, sort() == "position", first().has_option("by_file")}};
    locates ? require_possible_hits() : require_possible_counts();
    Output& out = outputs_.open(options_.output);
    Output* const summary = outputs_.open_if_named(options_.summary);
    session_.report("merging", -1);
    const MergeFigures figures = locates ? write_hits(out) : write_counts(out);
    finish(figures, summary);
    log().info("merged {}: {}, {} with hits", counted(parts_.size(), "part", "parts"),
               counted(figures.queries, "query", "queries"), figures.with_hits);
  }

 private:
  const RunSummary& first() const { return parts_.front().run(); }
  PartContent content() const { return parts_.front().content(); }
  bool is_circular() const { return !targets_.circular().empty(); }
  /// That of the options, or else that of the parts.
  std::string sort() const {
    return options_.has_sort ? options_.sort : first().option("sort").text;
  }

  WantedFiles wanted_files() const {
    return WantedFiles::between(
        options_.has_min_files ? options_.min_files : first().number_option("min_files"),
        options_.has_max_files ? options_.max_files : first().number_option("max_files"));
  }

  FileCountForm form() const {
    const bool given = options_.matrix || options_.presence;
    if (given ? options_.matrix : first().has_option("matrix")) return FileCountForm::matrix;
    if (given ? options_.presence : first().has_option("presence")) return FileCountForm::presence;
    return FileCountForm::lines;
  }

  void require_possible_hits() const {
    refuse_forms_of_counts();
    lines_.require_possible();
    if (lines_.sorted && lines_.format == ResultFormat::bedgraph)
      throw UsageError(
          "--sort position orders lines of hits, and none are written; give --sort query: coverage "
          "is in the order of the targets");
  }

  void require_possible_counts() const {
    const std::string format = options_.format.asked();
    if (!format.empty() && format != "tsv")
      throw UsageError("--format " + format + ": the parts are of gsx count, which is TSV");
    if (options_.has_sort) throw UsageError("--sort is for parts of gsx locate");
    if (content() != PartContent::file_counts) refuse_forms_of_counts();
  }

  void refuse_forms_of_counts() const {
    if (options_.matrix || options_.presence)
      throw UsageError("--matrix and --presence are for parts of count --by-file");
    if (options_.min_files != 0 || options_.max_files != 0)
      throw UsageError("--min-files and --max-files are for parts of count --by-file");
  }

  MergeFigures write_hits(Output& out) {
    if (lines_.format == ResultFormat::bedgraph) return write_coverage(out);
    const RecordsView records = targets_.records();
    const SegmentsView segments = targets_.segments();
    std::optional<LineSorter> sorter;
    if (lines_.sorted) {
      const QueryMemory memory = plan_query_memory({.threads = 1, .sorts = true});
      sorter.emplace(memory.sort_bytes, 1, scratch_place());
    }
    const std::string header = lines_.header(records, targets_.circular());
    if (!options_.no_header) out.write(header);
    if (!options_.no_header && sorter)
      lines_.sort_header(records, segments, targets_.circular(), sorter->collector());
    HitLines lines(records, segments,
                   {lines_.format, is_circular(), lines_.by_file, sorter ? &*sorter : nullptr});
    TextPieces text = pieces_of(out);
    const MergeFigures figures = join_->hits(
        [&](const RecordBatch& queries, const HitChunk& chunk, const MismatchPlaces& mismatches) {
          lines.add(text, queries, chunk, &mismatches);
        });
    text.flush();
    if (sorter) sorter->write(out);
    return figures;
  }

  MergeFigures write_coverage(Output& out) {
    CoverageOutput coverage(true, "");
    coverage.start({targets_.records(), targets_.segments(), is_circular()});
    const MergeFigures figures =
        join_->hits([&](const RecordBatch& queries, const HitChunk& chunk, const MismatchPlaces&) {
          coverage.depths()->add(queries, chunk);
        });
    coverage.write(out, unlimited, session_);
    return figures;
  }

  MergeFigures write_counts(Output& out) {
    const auto most = static_cast<std::uint32_t>(first().number_option("mismatches"));
    const SourceFilesView files = targets_.records().files;
    const FileCountOptions by_file{form(), rules_.files};
    const bool by_mismatches = content() == PartContent::mismatch_counts;
    if (!options_.no_header) {
      out.write(content() == PartContent::file_counts     ? file_counts_header(by_file.form, files)
                : content() == PartContent::record_counts ? record_counts_header
                : by_mismatches                           ? mismatch_count_header(most)
                                                          : count_header);
    }
    TextPieces text = pieces_of(out);
    const MergeFigures figures =
        join_->counts([&](const RecordBatch& queries, std::span<const std::uint64_t> ends,
                          std::span<const PlaceCount> counts) {
          const auto for_each = [&](const auto& use) {
            std::uint64_t next = 0;
            for (std::size_t i = 0; i < ends.size(); ++i)
              for (; next < ends[i]; ++next)
                use(i, counts[next].place, counts[next].counts);
          };
          if (content() == PartContent::record_counts) {
            RecordCountLines lines(text, queries, targets_.records());
            for_each([&](auto... all) { lines.add(all...); });
          } else if (content() == PartContent::file_counts) {
            FileCountLines lines(text, queries, files, by_file);
            for_each([&](auto... all) { lines.add(all...); });
            lines.finish();
          } else {
            MismatchCounts sums;
            sums.reset(queries.size(), by_mismatches ? most : 0);
            for_each([&](std::size_t i, std::uint64_t mismatches, const StrandCounts& more) {
              sums.of(i, false)[mismatches] += more.forward;
              sums.of(i, true)[mismatches] += more.reverse;
            });
            if (by_mismatches) return append_mismatch_counts(text, queries, sums);
            std::vector<StrandCounts> totals(queries.size());
            for (std::size_t i = 0; i < totals.size(); ++i)
              totals[i] = sums.total(i);
            append_counts(text, queries, totals);
          }
        });
    text.flush();
    return figures;
  }

  static TextPieces pieces_of(Output& out) {
    return {std::size_t{1} << 20, [&out](std::string& text) {
              out.write(text);
              text.clear();
            }};
  }

  /// Checks the figures of the parts, writes their summary, and gives the outputs their names.
  void finish(const MergeFigures& figures, Output* summary) {
    std::vector<PartSummary> summaries;
    for (const PartReader& part : parts_) {
      RunSummary run = part.summary();
      put_option(run, "format", name_of(lines_.format));
      put_option(run, "sort", sort());
      put_option(run, "matrix", form() == FileCountForm::matrix);
      put_option(run, "presence", form() == FileCountForm::presence);
      summaries.emplace_back(part.label(), std::move(run));
    }
    require_figures(summaries, figures, holds_hits(content()) ? PartKind::tsv : PartKind::counts);
    if (summary != nullptr) {
      require_alike(summaries);
      if (const std::uint64_t most = first().number_option("max_hits"); most != 0)
        rules_.max_hits = most;
      summary->write(merged_summary(summaries, figures, rules_, whole_index(index_, summaries)));
    }
    outputs_.commit();
  }
  static void put_option(RunSummary& run, std::string_view name, JsonValue value) {
    if (JsonValue* const member = find_member(run.options, name)) *member = std::move(value);
  }

  const MergeOptions& options_;
  Session& session_;
  Outputs outputs_;
  PartTargets targets_;
  std::deque<PartReader> parts_;
  std::optional<PartJoin> join_;
  WholeIndex index_;
  LocateLines lines_;
  MergeRules rules_;
};

}  // namespace

void merge_part_files(const MergeOptions& options, std::vector<PartSource> sources,
                      Session& session) {
  refuse_told_options(options);
  PartMerge(options, std::move(sources), session).run();
}

}  // namespace gsx::app
