#include "commands/locate_format.hpp"

#include <CLI/App.hpp>

#include "base/error.hpp"
#include "options/format_suffix.hpp"
#include "options/option_kinds.hpp"

namespace gsx::app {

ResultFormat LocateFormatOptions::choose(const std::string& output, RunFiles& files) const {
  if (!format.is_given() && format_suffix(output) == "bigwig")
    throw UsageError("a bigWig file is written by --bigwig FILE, not by -o");
  return format.choose(output, files);
}

void add_locate_format_options(CLI::App& command, LocateFormatOptions& options) {
  options.format.add(
      command,
      {{ResultFormat::tsv},
       {ResultFormat::bed, "Write BED6 with the query as name and the mismatches as score"},
       {ResultFormat::paf, "Write PAF with the tags NM, nh (all hits) and cg"},
       {ResultFormat::jsonl, "Write JSON lines, one object per query"},
       {ResultFormat::gff3},
       {ResultFormat::sam,
        "Write SAM with the tags NH, HI, NM and MD, queries without hits as unmapped"},
       {ResultFormat::bam, "Write the same as BAM"},
       {ResultFormat::bedgraph,
        "Write how many hits lie over each position, not the hits, as bedGraph"},
       {ResultFormat::part}},
      "Write this format (default: the one that the suffix of -o names, also before .gz; .bg and "
      ".bdg stand for bedgraph, .gff for gff3; otherwise tsv). part is a partial result, of a "
      "shard, which gsx merge "
      "joins and writes in any format but SAM, BAM and bigWig");
  add_path(
      command, "--bigwig", options.bigwig,
      "Write how many hits lie over each position as bigWig to FILE; write hits or bedGraph as "
      "well only if -o or a format is given");
}

}  // namespace gsx::app
