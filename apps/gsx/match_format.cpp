#include "match_format.hpp"

#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "format_suffix.hpp"
#include "option_kinds.hpp"

namespace gsx::app {
namespace {

constexpr std::pair<std::string_view, MatchFormat> formats[] = {{"tsv", MatchFormat::tsv},
                                                                {"bed", MatchFormat::bed},
                                                                {"paf", MatchFormat::paf},
                                                                {"jsonl", MatchFormat::jsonl},
                                                                {"fastmap", MatchFormat::fastmap}};

/// The format of that name; TSV if there is none.
MatchFormat format_named(std::string_view name) {
  for (const auto& [known, format] : formats) {
    if (name == known) return format;
  }
  return MatchFormat::tsv;
}

}  // namespace

MatchFormat MatchFormatOptions::choose(const std::string& output) const {
  const std::string flag = bed ? "bed" : paf ? "paf" : jsonl ? "jsonl" : fastmap ? "fastmap" : "";
  if (!flag.empty() && !name.empty() && flag != name)
    throw UsageError("--" + flag + " and --format " + name + " disagree; give one of them");
  if (!flag.empty()) return format_named(flag);
  if (!name.empty()) return format_named(name);
  const std::string suffix = format_suffix(output);
  refuse_other_format(suffix, "mem", "tsv, bed, paf, jsonl or fastmap");
  return format_named(suffix);
}

void add_match_format_options(CLI::App& command, MatchFormatOptions& options) {
  add_choice(command, "--format", options.name, {"tsv", "bed", "paf", "jsonl", "fastmap"},
             "Write this format (default: the one that the suffix of -o names, also "
             "before .gz, and otherwise tsv)")
      ->group("Output");
  std::vector<CLI::Option*> flags;
  const auto add = [&](const char* flag_name, bool& flag, const char* help) {
    CLI::Option* const added = command.add_flag(flag_name, flag, help)->group("Output");
    for (CLI::Option* other : flags)
      added->excludes(other);
    flags.push_back(added);
  };
  add("--bed", options.bed,
      "Write BED of the intervals of the queries, with the number of occurrences as name; short "
      "for --format bed");
  add("--paf", options.paf,
      "Write PAF, one line per place, with the tags NM, nh (all places) and cg; short for "
      "--format paf");
  add("--jsonl", options.jsonl, "Write JSON lines, one object per query; short for --format jsonl");
  add("--fastmap", options.fastmap,
      "Write a block per query as bwa fastmap does, with 1-based places in the order of the "
      "target; short for --format fastmap");
}

std::string name_of(MatchFormat format) {
  for (const auto& [name, known] : formats) {
    if (format == known) return std::string(name);
  }
  return "?";
}

}  // namespace gsx::app
