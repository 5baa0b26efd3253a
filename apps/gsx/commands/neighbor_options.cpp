#include "commands/neighbor_options.hpp"

#include <spdlog/fmt/fmt.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "inputs/input_options.hpp"
#include "options/cram_option.hpp"
#include "options/named_once.hpp"
#include "options/option_kinds.hpp"

namespace gsx::app {
namespace {

/// A range of symbols such as 1-16, counted from 1, both ends included; or, counted from the end,
/// such as -16--1.
SymbolRanges::Range parse_range(const std::string& part) {
  constexpr std::uint64_t most = std::uint64_t{1} << 40;
  const bool from_end = part.starts_with('-');
  const std::size_t dash = part.find('-', from_end ? 1 : 0);
  if (dash == std::string::npos) {
    throw UsageError("'" + printable(part) +
                     "' is not a range of symbols such as 1-16; -16--1 counts from the end");
  }
  const std::string first = part.substr(from_end ? 1 : 0, dash - (from_end ? 1 : 0));
  std::string last = part.substr(dash + 1);
  if (last.starts_with('-') != from_end) {
    throw UsageError("'" + printable(part) +
                     "' counts from both ends of a read; count both numbers from one, as in 1-16 "
                     "or -16--1");
  }
  if (from_end) last.erase(0, 1);
  const std::uint64_t begin = parse_number(first, {1, most});
  const std::uint64_t end = parse_number(last, {1, most});
  if (from_end ? begin < end : end < begin)
    throw UsageError("'" + printable(part) + "' ends before it begins");
  return from_end ? SymbolRanges::Range{begin, end - 1, true} : SymbolRanges::Range{begin - 1, end};
}

/// Several, separated by commas.
SymbolRanges parse_ranges(const std::string& text) {
  SymbolRanges at;
  for (const std::string& part : split_at_commas(text)) {
    const SymbolRanges::Range range = parse_range(part);
    const auto overlaps = [&](const SymbolRanges::Range& other) {
      if (range.from_end != other.from_end) return false;  // in reads that are long enough
      const auto [low, high] = std::minmax(range.begin, range.end);
      return low < std::max(other.begin, other.end) && std::min(other.begin, other.end) < high;
    };
    if (std::ranges::any_of(at.ranges, overlaps))
      throw UsageError("'" + printable(text) + "' takes a symbol twice");
    at.ranges.push_back(range);
  }
  if (at.length() > SequenceShape::most_length) {
    throw UsageError(fmt::format("'{}' takes {} symbols, and at most {} are allowed",
                                 printable(text), at.length(), SequenceShape::most_length));
  }
  return at;
}

/// A part of 1, with at most six digits behind the point.
Confidence parse_confidence(const std::string& text) {
  const std::size_t point = text.find('.');
  const std::string whole = text.substr(0, point);
  const std::string digits = point == std::string::npos ? "0" : text.substr(point + 1);
  constexpr std::size_t most_digits = 6;
  const bool is_number = (whole == "0" || whole == "1") && !digits.empty() &&
                         digits.size() <= most_digits &&
                         digits.find_first_not_of("0123456789") == std::string::npos;
  if (is_number) {
    const unsigned long part = std::stoul(digits + std::string(most_digits - digits.size(), '0'));
    if (whole == "0" || part == 0)
      return {static_cast<std::uint32_t>(whole == "1" ? Confidence::all : part)};
  }
  throw UsageError("'" + printable(text) +
                   "' is not a confidence: give a number from 0 to 1, such as 0.975, with at most "
                   "6 digits behind the point");
}

}  // namespace

MateUse NeighborCommand::mates() const {
  if (interleaved) return MateUse::first;
  return correct && !unpaired ? MateUse::alone : MateUse::each;
}

void NeighborCommand::check(Session& session) {
  if (files.empty()) throw UsageError("no sequences: name a file, or - for standard input");
  if (clusters && correct)
    throw UsageError("--clusters and --correct contradict each other; give one of them");
  if (clusters && !whitelist.empty()) {
    throw UsageError(
        "--clusters is made from the counts of the input alone; leave out --whitelist, or give "
        "--correct");
  }
  if (interleaved && unpaired)
    throw UsageError("--interleaved and --unpaired contradict each other; give one of them");
  if (unpaired && !correct)
    throw UsageError("--unpaired is about --correct, which alone refuses pairs; leave it out");
  if (confidence_given && (!correct || whitelist.empty())) {
    throw UsageError(
        "--confidence is about corrections to a whitelist; give --correct and --whitelist, or "
        "leave it out");
  }
  require_each_once(files, "its sequences would count twice");
  check_files(inputs(), cram_reference, {output, summary}, session);
  writes_fastq = format.choose(output, session.files) == ResultFormat::fastq;
  if (writes_fastq && !correct) {
    throw UsageError(
        "only --correct writes FASTQ: reads with corrected symbols; give it, or another format");
  }
  if (writes_fastq) {
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

JsonMembers NeighborCommand::as_json() const {
  JsonMembers members{
      {"distance", std::uint64_t{distance}}, {"whitelist", !whitelist.empty()}, {"at", at_text}};
  if (interleaved) members.push_back({"interleaved", true});
  if (correct && !whitelist.empty())
    members.push_back({"confidence", confidence.millionths / double{Confidence::all}});
  members.push_back({"written", clusters ? "clusters" : correct ? "corrections" : "pairs"});
  members.push_back({"format", writes_fastq ? "fastq" : "tsv"});
  return members;
}

void add_neighbor_options(CLI::App& command, NeighborCommand& options) {
  add_texts(command, "FILE", "FILE", options.files,
            "A list with a sequence, or a sequence, a tab and its count, per line, CSV, or a table "
            "with a header; or FASTA, 2bit or FASTQ; plain or compressed (gzip, BGZF, bzip2, xz, "
            "zstd); or SAM, BAM or CRAM; - reads standard input");
  begin_group(command, "Input");
  add_path(command, "--whitelist", options.whitelist,
           "Find neighbours among the sequences of FILE, which is read as the input is; counts "
           "in it are passed over");
  add_parsed(command, "--at", "B-E",
             "Take symbols B to E of each read of the input, counted from 1, or from the end if "
             "both are negative (-16--1: the last 16); several ranges, separated by commas, are "
             "joined; reads that lack one of these symbols are passed over, and counted",
             [&options](const std::string& text) {
               options.at = parse_ranges(text);
               options.at_text = text;
             });
  add_flag(command, "--interleaved", options.interleaved,
           "The mates of each pair follow one another in the files; take the sequences of "
           "first mates only, and with --correct pass second mates on as they are");
  add_flag(command, "--unpaired", options.unpaired,
           "With --correct, take the sequence of each read even if the reads are pairs");
  add_cram_option(command, options.cram_reference);
  begin_group(command, "Search");
  add_number(command, "-k,-d,--mismatches,--distance", options.distance,
             {1, NeighborRequest::most_distance}, "Neighbours differ in at most N symbols: 1 or 2");
  add_parsed(command, "--confidence", "P",
             "With --correct and --whitelist: of several entries that are nearest, take the "
             "likeliest one if its posterior is at least P, from 0 to 1; otherwise the sequence is "
             "ambiguous",
             [&options](const std::string& text) {
               options.confidence = parse_confidence(text);
               options.confidence_given = true;
             })
      ->default_str("0.975");
  begin_group(command, "Output");
  add_flag(command, "--clusters", options.clusters,
           "Write clusters by directional networks, as umi_tools makes them, instead of pairs");
  add_flag(command, "--correct", options.correct,
           "Write what each sequence should be, by the whitelist or else by the counts, "
           "instead of pairs");
  add_output(command, options.output);
  options.format.add(
      command, {{ResultFormat::tsv}, {ResultFormat::fastq}},
      "Write this format (default: fastq if the suffix of -o says so, also before .gz, and "
      "otherwise tsv); with --correct, fastq writes the reads with corrected symbols, and all "
      "others as they are; the input then has to be files");
  add_flag(command, "--no-header", options.no_header, "Leave out the header line of TSV");
  add_path(command, "--summary", options.summary,
           "Write the numbers of sequences, and of pairs, clusters or corrections, to FILE, as "
           "JSON");
  add_memory_limit(command, options.memory_limit,
                   "Use at most SIZE of memory, such as 8GiB; pairs that do not fit are found some "
                   "at a time (default: the free memory, or what ulimit or the control group "
                   "allows)");
  add_device_options(command, options.device);
}

}  // namespace gsx::app
