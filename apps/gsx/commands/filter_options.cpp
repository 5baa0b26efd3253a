#include "commands/filter_options.hpp"

#include <spdlog/fmt/fmt.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <utility>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "bytes/output_place.hpp"
#include "options/cram_option.hpp"
#include "options/format_suffix.hpp"
#include "options/named_once.hpp"
#include "options/option_kinds.hpp"
#include "queries/query_checks.hpp"

namespace gsx::app {
namespace {

/// A part above 0, at most 1, such as 0.3.
double parse_part(const std::string& text) {
  double part = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), part);
  if (error == std::errc() && end == text.data() + text.size() && part > 0 && part <= 1)
    return part;
  throw UsageError("'" + printable(text) + "' is not a part of 1: give a number above 0, up to 1");
}

/// Refuses one file, by whatever names, as both files of mates.
void refuse_same_file(const std::string& first, const std::string& second) {
  const auto path_of = [](const std::string& file) { return file == "-" ? "/dev/stdin" : file; };
  if (first == "-" && second == "-") return;  // its own error
  std::error_code error;
  if (first != second && !std::filesystem::equivalent(path_of(first), path_of(second), error))
    return;
  throw UsageError((first == second ? "'" + printable(first) + "' is given twice"
                                    : "'" + printable(first) + "' and '" + printable(second) +
                                          "' are the same file") +
                   ", but two files are those of mates; name the file of the first mates and that "
                   "of the second ones");
}

}  // namespace

FilterRules FilterOptions::rules() const {
  return {.request = {Strands::both, min_length},
          .min_cover = min_cover,
          .keep_matching = keep,
          .both = both};
}

ReadPairing FilterOptions::pairing() const {
  if (interleaved) return ReadPairing::interleaved;
  return unpaired || files().size() == 1 ? ReadPairing::none : ReadPairing::files;
}

JsonMembers FilterOptions::as_json() const {
  constexpr const char* names[] = {"none", "interleaved", "files"};
  JsonMembers members{{"min_length", min_length},
                      {"min_cover", min_cover},
                      {"written", keep ? "matching" : "others"},
                      {"pairs", names[static_cast<int>(pairing())]},
                      {"both", both}};
  if (by_order()) members.push_back({"mates", "order"});
  return members;
}

void FilterOptions::check() const {
  if (drop == keep) {
    throw UsageError(std::string(drop ? "--drop and --keep contradict each other; " : "") +
                     "give --keep to write the reads that match, or --drop to write the others");
  }
  if (interleaved && unpaired)
    throw UsageError("--interleaved and --unpaired contradict each other; give one of them");
}

void FilterOptions::check_files(Session& session) const {
  const ReadPairing pairs = pairing();
  if (pairs == ReadPairing::files && files().size() > 2) {
    throw UsageError(fmt::format(
        "{} files of reads; name two of mates, or one, or give --unpaired or --interleaved",
        files().size()));
  }
  if (both && pairs == ReadPairing::none)
    throw UsageError("--both is about pairs; name two files of mates, or give --interleaved");
  if (by_order() && pairs == ReadPairing::none)
    throw UsageError("--mates is about pairs; name two files of mates, or give --interleaved");
  if (pairs == ReadPairing::files) {
    refuse_same_file(files()[0], files()[1]);
  } else {
    require_each_once(files(), "its reads would be written twice");
  }
  check_outputs_of_pairs();
  check_suffixes("fastq or fasta", session.files);
  check_outputs(query, session);
}

void FilterOptions::check_suffixes(const char* formats, RunFiles& run, bool are_open) const {
  const std::pair<const std::string&, const char*> outputs[] = {
      {query.output, "-o"}, {second_output, "-O"}, {rest, "--rest"}, {second_rest, "--rest2"}};
  for (const auto& [output, option] : outputs)
    output_format(output, {"filter", formats, option, "that of the reads", are_open}, run);
}

void FilterOptions::check_outputs_of_pairs() const {
  const ReadPairing pairs = pairing();
  if (!second_rest.empty() && rest.empty())
    throw UsageError("--rest2 takes second mates; give --rest FILE for the first ones");
  if (pairs == ReadPairing::none) {
    for (const auto& [output, name] : {std::pair{&second_output, "-O"}, {&second_rest, "--rest2"}})
      if (!output->empty())
        throw UsageError(std::string(name) +
                         " takes second mates; name two files of mates, or give --interleaved");
  }
  if (pairs == ReadPairing::interleaved && !second_output.empty() && query.output.empty())
    throw UsageError("-O takes second mates; give -o FILE for the first ones");
  if (pairs != ReadPairing::files) return;
  // A name alone may be that of first mates, the other being forgotten.
  const bool one = second_output.empty() && OutputPlace::of(query.output).descriptor;
  if (!one && (query.output.empty() || second_output.empty())) {
    throw UsageError(
        "pairs of two files need two outputs: give -o FILE for the first mates and -O FILE for the "
        "second; or leave out both, and pairs go interleaved to standard output");
  }
  if (!one && !rest.empty() && second_rest.empty() && !OutputPlace::of(rest).descriptor)
    throw UsageError("--rest FILE takes first mates, as -o does; give --rest2 FILE for the second");
}

void add_filter_options(CLI::App& command, FilterOptions& options) {
  QueryOptions& query = options.query;
  add_texts(
      command, "READS", "FILE", query.inputs.files,
      std::string(sequence_formats) +
          "; - reads standard input. Two files are those of mates. The first may be the index");
  add_search_target(command, query);
  add_cram_option(command, query.reading.cram_reference);
  begin_group(command, "Input");
  add_flag(command, "--interleaved", options.interleaved,
           "The mates of each pair follow one another in the file");
  add_flag(command, "--unpaired", options.unpaired,
           "Each read stands alone, in any number of files");
  add_choice(
      command, "--mates", options.mates, {"names", "order"},
      "Compare the names of mates, or take records of the same order as mates whatever their "
      "names");
  begin_group(command, "Search");
  add_number(command, "-L,--min-length", options.min_length, {1, std::uint64_t{1} << 40},
             "A read matches if at least L symbols in a row occur in the text");
  add_parsed(command, "--min-cover", "F",
             "A read matches only if its matches of at least L symbols cover at least the part F "
             "of it, such as 0.3",
             [&options](const std::string& text) { options.min_cover = parse_part(text); });
  add_flag(command, "--both", options.both,
           "A pair matches only if both mates do; otherwise, one is enough");
  begin_group(command, "Output");
  add_flag(command, "--drop", options.drop, "Write the reads that do not match");
  add_flag(command, "--keep", options.keep, "Write the reads that match");
  add_output(command, query.output);
  add_path(command, "-O,--output2", options.second_output, "Write second mates to FILE");
  add_path(command, "--rest", options.rest,
           "Write the others to FILE: the reads that -o leaves out");
  add_path(command, "--rest2", options.second_rest, "Write the second mates of --rest to FILE");
  add_path(command, "--by-record", options.by_record,
           "Write a table of the reads that match, per record of the text, to FILE: those whose "
           "longest match lies in this record alone, and those that other records share");
  add_path(command, "--summary", query.summary,
           "Write the numbers of reads, pairs and bases to FILE, as JSON");
  add_query_resources(command, query, "; cuda:N,M,... and cuda:all share the reads among several");
}

}  // namespace gsx::app
