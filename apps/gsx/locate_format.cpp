#include "locate_format.hpp"

#include <string_view>
#include <utility>
#include <vector>

#include "format_suffix.hpp"
#include "option_kinds.hpp"

namespace gsx::app {
namespace {

constexpr std::pair<std::string_view, LocateFormat> formats[] = {
    {"tsv", LocateFormat::tsv},     {"bed", LocateFormat::bed}, {"paf", LocateFormat::paf},
    {"jsonl", LocateFormat::jsonl}, {"sam", LocateFormat::sam}, {"bam", LocateFormat::bam}};

/// The format of that name; TSV if there is none.
LocateFormat format_named(std::string_view name) {
  for (const auto& [known, format] : formats) {
    if (name == known) return format;
  }
  return LocateFormat::tsv;
}

}  // namespace

LocateFormat LocateFormatOptions::choose(const std::string& output) const {
  const std::string flag = bed     ? "bed"
                           : paf   ? "paf"
                           : jsonl ? "jsonl"
                           : sam   ? "sam"
                           : bam   ? "bam"
                                   : "";
  return format_named(
      chosen_format(flag, name, output, "locate", "tsv, bed, paf, jsonl, sam or bam"));
}

void add_locate_format_options(CLI::App& command, LocateFormatOptions& options) {
  add_choice(command, "--format", options.name, {"tsv", "bed", "paf", "jsonl", "sam", "bam"},
             "Write this format (default: the one that the suffix of -o names, also "
             "before .gz, and otherwise tsv)")
      ->group("Output");
  std::vector<CLI::Option*> flags;
  const auto add = [&](const char* name, bool& flag, const char* help) {
    CLI::Option* const added = command.add_flag(name, flag, help)->group("Output");
    for (CLI::Option* other : flags)
      added->excludes(other);
    flags.push_back(added);
  };
  add("--bed", options.bed,
      "Write BED6 with the query as name and score 0; short for --format bed");
  add("--paf", options.paf,
      "Write PAF with the tags NM, nh (all hits) and cg; short for --format paf");
  add("--jsonl", options.jsonl, "Write JSON lines, one object per query; short for --format jsonl");
  add("--sam", options.sam,
      "Write SAM with the tags NH, HI, NM and MD, queries without hits as unmapped; short for "
      "--format sam");
  add("--bam", options.bam, "Write the same as BAM; short for --format bam");
}

std::string name_of(LocateFormat format) {
  for (const auto& [name, known] : formats) {
    if (format == known) return std::string(name);
  }
  return "?";
}

}  // namespace gsx::app
