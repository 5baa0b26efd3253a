#include "commands/merge_options.hpp"

#include <CLI/App.hpp>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "gsx/index.hpp"
#include "inputs/target_choice.hpp"
#include "options/cram_option.hpp"
#include "options/format_suffix.hpp"
#include "options/named_once.hpp"
#include "options/numbers.hpp"
#include "options/option_kinds.hpp"
#include "options/options.hpp"
#include "output/lines/count_lines.hpp"
#include "output/lines/query_report.hpp"
#include "queries/query_checks.hpp"
#include "records/sequence_reader.hpp"

namespace gsx::app {
namespace {

constexpr const char* formats = "tsv, bed, paf, jsonl or bedgraph";

/// A header without its line end.
bool is_header(std::string_view line, std::string_view header) {
  return line == header.substr(0, header.size() - 1);
}

bool is_mismatch_header(std::string_view line) {
  const std::string_view counts = count_header;
  return line.starts_with(counts.substr(0, counts.size() - 1)) &&
         line.substr(counts.size() - 1).starts_with("\tcount_0");
}

PartKind kind_of_header(const PartFile& part) {
  const std::string_view line = part.line();
  if (is_header(line, count_header) || is_mismatch_header(line)) return PartKind::counts;
  if (is_header(line, locate_header) || is_header(line, locate_header_with_files))
    return PartKind::tsv;
  if (is_header(line, record_counts_header)) return PartKind::records;
  if (is_header(line, file_counts_header(FileCountForm::lines, {}))) return PartKind::files;
  throw UsageError(part.label() +
                   ": its first line is no header of gsx count or gsx locate, whose results can be "
                   "merged; say --matrix or --presence for those of count, and name other formats "
                   "by --parts-format");
}

}  // namespace

void MergeOptions::check(Session& session) {
  std::vector<std::string> tables;
  for (std::string& name : parts)
    (format_suffix(name) == "json" ? summaries : tables).push_back(std::move(name));
  parts = std::move(tables);
  if (parts.empty()) throw UsageError("no parts: name the results of the shards, in their order");
  std::vector<std::string> read = parts;
  for (const auto* more : {&queries.pattern_files, &queries.files, &summaries})
    read.insert(read.end(), more->begin(), more->end());
  refuse_empty_names(read);
  refuse_empty_patterns(queries.patterns);
  require_one_standard_input(read);
  require_each_once(parts, "its hits would count twice");
  require_each_once(summaries, "its hits would count twice");
  refuse_indexes(parts, "not the result of a search; name the manifest by -x");
  session.files.reads(read);
  session.files.reads(cram_reference_files(cram_reference));
  if (!index.empty()) {
    index = index_at(index);
    session.files.reads_index(index);
  }
  check_outputs({output, summary}, session);
}

void MergeOptions::require_summaries() const {
  if (!summary.empty() && summaries.empty())
    throw UsageError("--summary is made of the summaries of the parts: name these, too (*.json)");
  if (!summaries.empty() && summaries.size() != parts.size())
    throw UsageError(counted(summaries.size(), "summary", "summaries") + " (*.json) for " +
                     counted(parts.size(), "part", "parts") + ": name a summary for each part");
}

void MergeOptions::expect_shards(PartFiles& files, PartKind kind, int threads) {
  if (index.empty()) return;
  // Lazily: of the shards, only the names are read.
  const Index joined = open_index(index, Load::lazy, threads);
  const auto shards = joined.parts();
  if (shards.empty())
    throw UsageError("'" + printable(index) +
                     "' is no manifest of shards: -x names the one that gsx index --shards made");
  if (shards.size() != files.size())
    throw UsageError("'" + printable(index) + "' has " + counted(shards.size(), "shard", "shards") +
                     ", and " + counted(files.size(), "part is", "parts are") +
                     " named: name a part for each shard, in their order");
  whole.file = joined.path().substr(joined.path().rfind('/') + 1);
  for (const Index& shard : shards)
    whole.shards.push_back(shard.checksum_of_header());
  for (std::size_t i = 0; i < shards.size(); ++i) {
    const RecordsView& records = shards[i].records();
    ShardNames names(printable(shards[i].path()), names_files(kind) ? "file" : "record");
    for (std::uint64_t f = 0; names_files(kind) && f < records.files.size(); ++f)
      names.add(records.files.name(f));
    for (std::uint64_t r = 0; names_records(kind) && r < records.size(); ++r)
      names.add(records.name(r));
    if (names_files(kind) || names_records(kind)) files[i].expect(std::move(names));
  }
}

PartKind MergeOptions::kind(PartFiles& files, Session& session) const {
  if (format.is_given()) {
    throw UsageError(
        "--format is of the output, and parts of text are joined in their own format: give "
        "--parts-format, if their names and header lines do not tell it");
  }
  std::string name = parts_format;
  if (name.empty()) {
    name = format_suffix(parts.front());
    if (name == "sam" || name == "bam" || name == "bigwig")
      throw UsageError("merge does not join " + name + ": it joins " + formats +
                       "; give the manifest of the shards to gsx locate instead");
    name = output_format(
        parts.front(),
        {"merge", formats, "the first part", "name one by --parts-format or the suffix", true},
        session.files);
  }
  const bool named = name == "bed" || name == "paf" || name == "jsonl" || name == "bedgraph";
  output_format(output, {"merge", named ? name : "tsv", "-o", "as the parts are"}, session.files);
  if (sort == "position" && name != "bed")
    throw UsageError("--sort position is for parts of BED; merge others in the order of queries");
  if (named && (matrix || presence))
    throw UsageError("--matrix and --presence are tables, and not " + name);
  if (name == "bed") return sort == "position" ? PartKind::sorted_bed : PartKind::bed;
  if (name == "paf") return PartKind::paf;
  if (name == "jsonl") return PartKind::jsonl;
  if (name == "bedgraph") return PartKind::bedgraph;
  for (PartFile& file : files)
    if (!file.next()) file.fail("it is empty: it lacks its header line");
  if (matrix || presence) {
    for (const PartFile& file : files) {
      if (file.line() != "query_id" && !file.line().starts_with("query_id\t"))
        file.fail("it lacks the header line of --matrix or --presence");
    }
    return matrix ? PartKind::matrix : PartKind::presence;
  }
  return kind_of_header(files.front());
}

void MergeOptions::take_options(const std::vector<PartSummary>& made, PartKind kind) {
  const bool says_what_is_kept = has_mismatches || iupac;
  if (!made.empty()) take_summary(made.front(), kind);
  if (max_hits != 0 && made.empty() && !says_what_is_kept)
    throw UsageError(
        "which hits --max-hits keeps depends on how the parts were made: give -k K (-k 0 for an "
        "exact search) or --iupac as they had it, or name their summaries");
}

void MergeOptions::take_summary(const PartSummary& first, PartKind kind) {
  if (is_by_place(kind) && !summary.empty())
    throw UsageError("--summary needs parts by query: which queries have hits is not in these");
  const bool locates = kind == PartKind::tsv || kind == PartKind::bed || kind == PartKind::paf ||
                       kind == PartKind::jsonl || is_by_place(kind);
  if ((first.command() == "locate") != locates)
    throw UsageError(first.label() + ": it is of gsx " + first.command() +
                     ", and the parts are not");
  if (kind == PartKind::matrix || kind == PartKind::presence) {
    const char* const form = kind == PartKind::matrix ? "matrix" : "presence";
    if (!first.run().has_option(form))
      throw UsageError(first.label() + ": the part was made without --" + form);
  }
  const auto take = [&](const char* option, const char* member, bool given, std::uint64_t& value) {
    const std::uint64_t there = first.run().number_option(member);
    if (given && value != there)
      throw UsageError(std::string(option) + ": the summaries of the parts say " +
                       std::to_string(there));
    value = there;
  };
  take("--max-hits", "max_hits", max_hits != 0, max_hits);
  take("--mismatches", "mismatches", has_mismatches, mismatches);
  const auto take_flag = [&](const char* option, const char* member, bool& value) {
    const bool there = first.run().has_option(member);
    if (value && !there) {
      throw UsageError(std::string(option) +
                       ": the summaries of the parts say that they were made without it");
    }
    value = there;
  };
  take_flag("--iupac", "iupac", iupac);
  take_flag("--tag-files", "tag_files", tag_files);
  take_flag("--whole-header", "whole_header", whole_header);
  for (const auto& [member, option] :
       {std::pair{"min_files", "--min-files"}, std::pair{"max_files", "--max-files"}}) {
    if (first.run().number_option(member) == 0) continue;
    throw UsageError(first.label() + ": the parts were made with " + option +
                     ", and lack queries; make them without, and give it to gsx merge");
  }
  if (max_hits != 0 && first.is_circular())
    throw UsageError(
        "which hits --max-hits keeps of circular records is not in the parts; give "
        "the manifest of the shards to gsx locate instead");
}

void add_merge_options(CLI::App& command, MergeOptions& options) {
  add_texts(
      command, "PART", "FILE", options.parts,
      "Results of gsx count or gsx locate, one for each shard, in the order of the shards; "
      "plain or compressed; - reads standard input. Names that end in .json are what "
      "--summary has written for them: that their options agree is checked, and they tell "
      "--max-hits, -k, --iupac, --tag-files and --whole-header; files of --format part need none");
  begin_group(command, "Input");
  add_path(
      command, "-x,--index", options.index,
      "The manifest of the shards: there must be one part per shard, and files of --format "
      "part must be of these. For parts of text, the shards have to be there, too, and, except "
      "in JSON lines, each part may name only records and files of its shard")
      ->type_name("INDEX");
  add_texts(command, "--queries", "FILE", options.queries.files,
            "The queries that the parts were made with, in the same order: needed where a query "
            "without hits has no line");
  add_texts(command, "-p,--pattern", "PATTERN", options.queries.patterns,
            "The same for a pattern of -p; patterns come first, then those of -f, then --queries");
  add_texts(command, "-f,--patterns", "FILE", options.queries.pattern_files,
            "The same for a list of patterns");
  add_flag(command, "--tag-files", options.tag_files,
           "The parts were made with --tag-files: names end with the number of their file");
  add_flag(command, "--whole-header", options.whole_header,
           "The parts were made with --whole-header: names of queries in files are whole "
           "header lines");
  add_cram_option(command, options.cram_reference);
  options.format.add(
      command,
      {{ResultFormat::tsv},
       {ResultFormat::bed},
       {ResultFormat::paf},
       {ResultFormat::jsonl},
       {ResultFormat::gff3},
       {ResultFormat::bedgraph}},
      "Write this format, of files of --format part (default: that which the suffix of -o names, "
      "also before .gz, and otherwise tsv)");
  add_choice(command, "--parts-format", options.parts_format,
             {"tsv", "bed", "paf", "jsonl", "bedgraph"},
             "The format of parts of text, and so of the output (default: that which the suffix of "
             "the first one names, also before .gz; otherwise tsv, whose header tells the rest)");
  auto* const matrix = add_flag(command, "--matrix", options.matrix,
                                "The parts are of count --by-file --matrix; of files of --format "
                                "part: write such a table");
  add_flag(command, "--presence", options.presence,
           "The parts are of count --by-file --presence; likewise")
      ->excludes(matrix);
  add_choice(
      command, "--sort", options.sort, {"query", "position"},
      "The order of the lines of the parts; position is for BED. Of files of --format part, that "
      "of the output (default: the one that they were made with)")
      ->each([&options](const std::string&) { options.has_sort = true; });
  begin_group(command, "Search");
  add_number(command, "--max-hits", options.max_hits, {},
             "The parts were made with --max-hits N; 0: without")
      ->each([&options](const std::string&) { options.has_max_hits = true; });
  add_number(command, "-k,--mismatches", options.mismatches, {0, most_mismatches},
             "The parts were made with -k K; 0: with neither -k nor --iupac. With --max-hits, this "
             "or a summary says which hits are kept")
      ->default_str("")
      ->each([&options](const std::string&) { options.has_mismatches = true; });
  add_flag(command, "--iupac", options.iupac,
           "The parts were made with --iupac; with --max-hits as for -k");
  begin_group(command, "Output");
  add_number(command, "--min-files", options.min_files, {},
             "Of parts of count --by-file, leave out queries that fewer than N files hold; given, "
             "it holds "
             "in place of what files of --format part were made with")
      ->each([&options](const std::string&) { options.has_min_files = true; });
  add_number(command, "--max-files", options.max_files, {},
             "The same for queries that more than N files hold; 0 leaves out none")
      ->each([&options](const std::string&) { options.has_max_files = true; });
  add_output(command, options.output);
  add_flag(command, "--no-header", options.no_header, "Leave out the header line");
  add_path(command, "--summary", options.summary,
           "Write the summary of the whole index to FILE; parts of text need theirs");
}

}  // namespace gsx::app
