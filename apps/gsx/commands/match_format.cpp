#include "commands/match_format.hpp"

#include "base/error.hpp"

namespace gsx::app {

void add_match_format_options(CLI::App& command, FormatOption& option) {
  option.add(command,
             {{ResultFormat::tsv},
              {ResultFormat::bed,
               "Write BED of the intervals of the queries, with the number of occurrences as name"},
              {ResultFormat::paf,
               "Write PAF, one line per place, with the tags NM, nh (all places) and cg"},
              {ResultFormat::jsonl, "Write JSON lines, one object per query"},
              {ResultFormat::fastmap,
               "Write a block per query as bwa fastmap does, with 1-based places in the order of "
               "the target"},
              {ResultFormat::mummer,
               "With --pairs: write the lines that mummer -b -n -c -F prints, in the order of "
               "gsx"}});
}

ResultFormat format_of_matches(const FormatOption& option, const std::string& output,
                               RunFiles& files) {
  const ResultFormat format = option.choose(output, files);
  if (format == ResultFormat::mummer)
    throw UsageError("mummer is a format of pairs of matches; give --pairs, too");
  return format;
}

ResultFormat format_of_pairs(const FormatOption& option, const std::string& output,
                             RunFiles& files) {
  const ResultFormat format = option.choose(output, files);
  if (format == ResultFormat::bed || format == ResultFormat::fastmap)
    throw UsageError("--pairs writes tsv, paf, jsonl or mummer, not " + name_of(format));
  return format;
}

}  // namespace gsx::app
