#include "commands/locate_format.hpp"

#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "options/format_suffix.hpp"
#include "options/option_kinds.hpp"

namespace gsx::app {
namespace {

constexpr std::pair<std::string_view, LocateFormat> formats[] = {
    {"tsv", LocateFormat::tsv},          {"bed", LocateFormat::bed}, {"paf", LocateFormat::paf},
    {"jsonl", LocateFormat::jsonl},      {"sam", LocateFormat::sam}, {"bam", LocateFormat::bam},
    {"bedgraph", LocateFormat::bedgraph}};

/// The format of that name; TSV if there is none.
LocateFormat format_named(std::string_view name) {
  for (const auto& [known, format] : formats) {
    if (name == known) return format;
  }
  return LocateFormat::tsv;
}

}  // namespace

std::string LocateFormatOptions::flag() const {
  return bed        ? "bed"
         : paf      ? "paf"
         : jsonl    ? "jsonl"
         : sam      ? "sam"
         : bam      ? "bam"
         : bedgraph ? "bedgraph"
                    : "";
}

LocateFormat LocateFormatOptions::choose(const std::string& output) const {
  std::string asked = asked_format(flag(), name);
  if (asked.empty()) {
    asked = format_suffix(output);
    if (asked == "bigwig") throw UsageError("a bigWig file is written by --bigwig FILE, not by -o");
    refuse_other_format(asked, "locate", "tsv, bed, paf, jsonl, sam, bam or bedgraph");
  }
  return format_named(asked);
}

void add_locate_format_options(CLI::App& command, LocateFormatOptions& options) {
  add_choice(command, "--format", options.name,
             {"tsv", "bed", "paf", "jsonl", "sam", "bam", "bedgraph"},
             "Write this format (default: the one that the suffix of -o names, also "
             "before .gz; .bg and .bdg stand for bedgraph; otherwise tsv)")
      ->group("Output");
  std::vector<CLI::Option*> flags;
  const auto add = [&](const char* name, bool& flag, const char* help) {
    CLI::Option* const added = command.add_flag(name, flag, help)->group("Output");
    for (CLI::Option* other : flags)
      added->excludes(other);
    flags.push_back(added);
  };
  add("--bed", options.bed,
      "Write BED6 with the query as name and the mismatches as score; short for --format bed");
  add("--paf", options.paf,
      "Write PAF with the tags NM, nh (all hits) and cg; short for --format paf");
  add("--jsonl", options.jsonl, "Write JSON lines, one object per query; short for --format jsonl");
  add("--sam", options.sam,
      "Write SAM with the tags NH, HI, NM and MD, queries without hits as unmapped; short for "
      "--format sam");
  add("--bam", options.bam, "Write the same as BAM; short for --format bam");
  add("--bedgraph", options.bedgraph,
      "Write how many hits lie over each position, not the hits, as bedGraph; short for --format "
      "bedgraph");
  add_path(
      command, "--bigwig", options.bigwig,
      "Write how many hits lie over each position as bigWig to FILE; write hits or bedGraph as "
      "well only if -o or a format is given")
      ->group("Output");
}

std::string name_of(LocateFormat format) {
  for (const auto& [name, known] : formats) {
    if (format == known) return std::string(name);
  }
  return "?";
}

}  // namespace gsx::app
