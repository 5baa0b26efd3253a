#include "commands/match_format.hpp"

#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "options/format_suffix.hpp"
#include "options/option_kinds.hpp"

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

/// The name of the format asked for; "" if that is left to gsx.
std::string MatchFormatOptions::named(const std::string& output) const {
  const std::string flag = bed       ? "bed"
                           : paf     ? "paf"
                           : jsonl   ? "jsonl"
                           : fastmap ? "fastmap"
                           : mummer  ? "mummer"
                                     : "";
  return chosen_format(flag, name, output, "mem", "tsv, bed, paf, jsonl, fastmap or mummer");
}

MatchFormat MatchFormatOptions::choose(const std::string& output) const {
  const std::string format = named(output);
  if (format == "mummer")
    throw UsageError("mummer is a format of pairs of matches; give --pairs, too");
  return format_named(format);
}

PairFormat MatchFormatOptions::choose_for_pairs(const std::string& output) const {
  const std::string format = named(output);
  if (format == "bed" || format == "fastmap")
    throw UsageError("--pairs writes tsv, paf, jsonl or mummer, not " + format);
  if (format == "paf") return PairFormat::paf;
  if (format == "jsonl") return PairFormat::jsonl;
  return format == "mummer" ? PairFormat::mummer : PairFormat::tsv;
}

void add_match_format_options(CLI::App& command, MatchFormatOptions& options) {
  add_choice(command, "--format", options.name, {"tsv", "bed", "paf", "jsonl", "fastmap", "mummer"},
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
  add("--mummer", options.mummer,
      "With --pairs: write the lines that mummer -b -n -c -F prints, in the order of gsx; short "
      "for "
      "--format mummer");
}

std::string name_of(MatchFormat format) {
  for (const auto& [name, known] : formats) {
    if (format == known) return std::string(name);
  }
  return "?";
}

}  // namespace gsx::app
