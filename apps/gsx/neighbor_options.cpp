#include "neighbor_options.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "cram_option.hpp"
#include "format_suffix.hpp"
#include "input_options.hpp"
#include "option_kinds.hpp"
#include "options.hpp"
#include "seq/sequence_reader.hpp"

namespace gsx::app {
namespace {

/// Ranges of symbols such as 1-8,20-27, counted from 1, both ends included.
SymbolRanges parse_ranges(const std::string& text) {
  constexpr std::uint64_t most = std::uint64_t{1} << 40;
  SymbolRanges at;
  for (const std::string& part : split_at_commas(text)) {
    const std::size_t dash = part.find('-');
    if (dash == std::string::npos) {
      throw UsageError("'" + printable(text) +
                       "' is not a range of symbols such as 1-16, or several such as 1-8,20-27");
    }
    const std::uint64_t begin = parse_number(part.substr(0, dash), {1, most});
    const std::uint64_t end = parse_number(part.substr(dash + 1), {1, most});
    if (end < begin) throw UsageError("'" + printable(part) + "' ends before it begins");
    const auto overlaps = [&](const SymbolRanges::Range& other) {
      return begin - 1 < other.end && other.begin < end;
    };
    if (std::ranges::any_of(at.ranges, overlaps))
      throw UsageError("'" + printable(text) + "' takes a symbol twice");
    at.ranges.push_back({begin - 1, end});
  }
  if (at.length() > SequenceShape::most_length) {
    throw UsageError(fmt::format("'{}' takes {} symbols, and at most {} are allowed",
                                 printable(text), at.length(), SequenceShape::most_length));
  }
  return at;
}

}  // namespace

bool NeighborCommand::writes_fastq() const {
  const std::string name = chosen_format("", format, output, "neighbors", "tsv or fastq");
  const bool fastq = name == "fastq" || name == "fq";
  if (!fastq) refuse_sequence_format(name, "neighbors", "tsv or fastq");
  if (fastq && !correct) {
    throw UsageError(
        "only --correct writes FASTQ: reads with corrected symbols; give it, or another format");
  }
  return fastq;
}

void NeighborCommand::check() const {
  if (files.empty()) throw UsageError("no sequences: name a file, or - for standard input");
  if (clusters && correct)
    throw UsageError("--clusters and --correct contradict each other; give one of them");
  if (clusters && !whitelist.empty()) {
    throw UsageError(
        "--clusters is made from the counts of the input alone; leave out --whitelist, or give "
        "--correct");
  }
  check_files(inputs(), cram_reference, {output, summary});
  if (writes_fastq()) {
    for (const std::string& file : files) {
      std::error_code error;
      const auto status = std::filesystem::status(file, error);
      if (file == "-" || (!error && exists(status) && !is_regular_file(status))) {
        throw UsageError(
            "FASTQ is corrected by reading it twice, and a pipe or standard input is read once; "
            "name a file");
      }
    }
  }
}

std::vector<std::string> NeighborCommand::inputs() const {
  std::vector<std::string> all = files;
  if (!whitelist.empty()) all.push_back(whitelist);
  return all;
}

std::string NeighborCommand::as_json() const {
  return fmt::format("\"distance\":{},\"whitelist\":{},\"at\":\"{}\",\"written\":\"{}\"", distance,
                     whitelist.empty() ? "false" : "true", at_text,
                     clusters  ? "clusters"
                     : correct ? "corrections"
                               : "pairs");
}

void add_neighbor_options(CLI::App& command, NeighborCommand& options) {
  add_texts(command, "FILE", "FILE", options.files,
            "A list with a sequence, or a sequence, a tab and its count, per line, CSV, or a table "
            "with a "
            "header; or FASTA, 2bit or "
            "FASTQ; plain or compressed (gzip, BGZF, bzip2, xz, zstd); or SAM, BAM or CRAM; - "
            "reads standard input");
  add_path(command, "--whitelist", options.whitelist,
           "Find neighbours among the sequences of FILE, which is read as the input is; counts "
           "in it are passed over")
      ->group("Input");
  add_parsed(command, "--at", "B-E",
             "Take symbols B to E of each read of the input, counted from 1; several ranges, "
             "separated by commas, are joined",
             [&options](const std::string& text) {
               options.at = parse_ranges(text);
               options.at_text = text;
             })
      ->group("Input");
  add_cram_option(command, options.cram_reference);
  add_number(command, "-d,--distance", options.distance, {1, NeighborRequest::most_distance},
             "Neighbours differ in at most N symbols: 1 or 2")
      ->group("Search");
  command
      .add_flag("--clusters", options.clusters,
                "Write clusters by directional networks, as umi_tools makes them, instead of pairs")
      ->group("Output");
  command
      .add_flag("--correct", options.correct,
                "Write what each sequence should be, by the whitelist or else by the counts, "
                "instead of pairs")
      ->group("Output");
  add_path(command, "-o,--output", options.output,
           "Write to FILE instead of standard output, as BGZF if the name ends in .gz or .bgz")
      ->group("Output");
  add_choice(
      command, "--format", options.format, {"tsv", "fastq"},
      "Write this format (default: fastq if the suffix of -o says so, also before .gz, and "
      "otherwise tsv); with --correct, fastq writes the reads with corrected symbols, and all "
      "others as they are; the input then has to be files")
      ->group("Output");
  command.add_flag("--no-header", options.no_header, "Leave out the header line of TSV")
      ->group("Output");
  add_path(command, "--summary", options.summary,
           "Write the numbers of sequences, and of pairs, clusters or corrections, to FILE, as "
           "JSON")
      ->group("Output");
  add_memory_limit(command, options.memory_limit,
                   "Use at most SIZE of memory, such as 8GiB; pairs that do not fit are found some "
                   "at a time (default: the free memory, or what ulimit or the control group "
                   "allows)");
  add_device_options(command, options.device);
}

}  // namespace gsx::app
