#include "filter_options.hpp"

#include <spdlog/fmt/fmt.h>

#include <charconv>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "cram_option.hpp"
#include "format_suffix.hpp"
#include "index_choice.hpp"
#include "named_once.hpp"
#include "option_kinds.hpp"
#include "query_checks.hpp"
#include "reference.hpp"

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

std::string FilterOptions::as_json() const {
  constexpr const char* names[] = {"none", "interleaved", "files"};
  return fmt::format(
      "\"min_length\":{},\"min_cover\":{},\"written\":\"{}\",\"pairs\":\"{}\",\"both\":{}",
      min_length, min_cover, keep ? "matching" : "others", names[static_cast<int>(pairing())],
      both);
}

void FilterOptions::check() const {
  if (drop == keep) {
    throw UsageError(std::string(drop ? "--drop and --keep contradict each other"
                                      : "it is not said what becomes of the reads that match") +
                     "; give --drop, which writes the others, or --keep, which writes these");
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
  if (pairs == ReadPairing::none && !second_output.empty())
    throw UsageError("-O takes second mates; name two files of mates, or give --interleaved");
  if (pairs == ReadPairing::files && (query.output.empty() || second_output.empty())) {
    throw UsageError(
        "pairs of two files need two outputs: give -o FILE for the first mates and -O FILE for the "
        "second");
  }
  // Two files of mates are looked at where mates are read.
  if (pairs != ReadPairing::files) require_each_once(files(), "its reads would be written twice");
  for (const std::string& output : {query.output, second_output}) {
    const std::string suffix = format_suffix(output);
    if (suffix != "sam" && suffix != "bam" && suffix != "cram" && suffix != "2bit") continue;
    throw UsageError("'" + printable(output) +
                     "': filter writes FASTQ, or FASTA where it reads it, and no " +
                     (suffix == "2bit" ? "2bit" : "SAM, BAM or CRAM"));
  }
  check_outputs(query, session);
}

void add_filter_options(CLI::App& command, FilterOptions& options) {
  QueryOptions& query = options.query;
  add_texts(
      command, "READS", "FILE", query.inputs.files,
      std::string(sequence_formats) +
          "; - reads standard input. Two files are those of mates. The first may be the index");
  add_index_option(command, query.index);
  add_reference_option(command, query);
  add_cram_option(command, query.cram_reference);
  command
      .add_flag("--interleaved", options.interleaved,
                "The mates of each pair follow one another in the file")
      ->group("Input");
  command
      .add_flag("--unpaired", options.unpaired, "Each read stands alone, in any number of files")
      ->group("Input");
  add_number(command, "-L,--min-length", options.min_length, {1, std::uint64_t{1} << 40},
             "A read matches if at least L symbols in a row occur in the text")
      ->group("Search");
  add_parsed(command, "--min-cover", "F",
             "A read matches only if its matches of at least L symbols cover at least the part F "
             "of it, such as 0.3",
             [&options](const std::string& text) { options.min_cover = parse_part(text); })
      ->group("Search");
  command
      .add_flag("--both", options.both,
                "A pair matches only if both mates do; otherwise, one is enough")
      ->group("Search");
  command.add_flag("--drop", options.drop, "Write the reads that do not match")->group("Output");
  command.add_flag("--keep", options.keep, "Write the reads that match")->group("Output");
  add_path(command, "-o,--output", query.output,
           "Write to FILE instead of standard output, as BGZF if the name ends in .gz or .bgz")
      ->group("Output");
  add_path(command, "-O,--output2", options.second_output, "Write second mates to FILE")
      ->group("Output");
  add_path(command, "--summary", query.summary,
           "Write the numbers of reads, pairs and bases to FILE, as JSON")
      ->group("Output");
  add_query_resources(command, query, "; cuda:N,M,... and cuda:all share the reads among several");
}

}  // namespace gsx::app
