#include "queries/query_options.hpp"

#include <spdlog/fmt/fmt.h>

#include <CLI/App.hpp>
#include <algorithm>

#include "inputs/hit_regions.hpp"
#include "inputs/input_options.hpp"
#include "options/circular_option.hpp"
#include "options/cram_option.hpp"
#include "options/option_kinds.hpp"

namespace gsx::app {

std::uint64_t QueryOptions::batch_for(std::uint64_t input_bytes, int threads) const {
  constexpr std::uint64_t least = std::uint64_t{64} << 10, per_thread = 4;
  if (!adapts_batches() || input_bytes == 0) return batch;
  const std::uint64_t share = input_bytes / (per_thread * static_cast<std::uint64_t>(threads));
  return std::clamp(share, std::min(least, batch), batch);
}

JsonMembers QueryOptions::as_json() const {
  JsonMembers members{{"strand", strand}};
  if (with_rules) {
    members.insert(members.end(), {{"palindromes", palindromes},
                                   {"mismatches", mismatches},
                                   {"iupac", iupac},
                                   {"equal", equal.text()},
                                   {"circular", circular},
                                   {"regions", regions_read},
                                   {"regions_checksum", regions_checksum}});
  }
  members.insert(members.end(), {{"tag_files", tag_files}, {"whole_header", reading.whole_header}});
  return members;
}

void add_search_target(CLI::App& command, QueryOptions& options) {
  CLI::Option* const reference =
      add_target_options(command, options,
                         "Index FASTA in memory and search that, instead of an index file; nothing "
                         "is written. Repeat -r for more files");
  add_no_eof_option(command, options.reading.allow_no_eof, "-r")->needs(reference);
}

void add_query_inputs(CLI::App& command, QueryOptions& options) {
  add_texts(command, "QUERY", "FILE", options.inputs.files,
            std::string(sequence_formats) +
                "; or a list, as of -f; - reads standard input. The first may be the index");
  add_search_target(command, options);
  begin_group(command, "Input");
  add_texts(command, "-p,--pattern", "PATTERN", options.inputs.patterns,
            "Search for PATTERN, which is also its own name; repeat -p for more patterns");
  add_texts(command, "-f,--patterns", "FILE", options.inputs.pattern_files,
            "Read patterns from FILE, one per line: SEQUENCE or NAME<tab>SEQUENCE, CSV, or a table "
            "with a header; or FASTA and what else QUERY may be. Blank lines and lines that begin "
            "with # are skipped; - reads standard input; repeat -f for more files. Patterns of -p "
            "come first, then those of -f, then those of the QUERY files");
  add_flag(command, "--tag-files", options.tag_files,
           "Add /1 to the names of queries from the first QUERY file, /2 to those from "
           "the second, and so on");
  options.reading.offers_whole_header = true;
  add_whole_header_option(command, options.reading.whole_header, " of -r and of QUERY files");
  add_cram_option(command, options.reading.cram_reference);
}

void add_query_outputs(CLI::App& command, QueryOptions& options, const char* found) {
  begin_group(command, "Output");
  add_output(command, options.output);
  add_path(command, "--unmatched", options.unmatched,
           fmt::format("Write the queries without {} to FILE, as FASTA", found));
  add_path(command, "--summary", options.summary,
           fmt::format("Write the numbers of queries and {} to FILE, as JSON", found));
  add_no_header(command, options.no_header);
}

void add_query_resources(CLI::App& command, QueryOptions& options, const char* device) {
  add_number(
      command, "--batch", options.batch, {1, std::uint64_t{1} << 32},
      "Bytes of input whose queries a thread searches at a time. By default fewer where the input "
      "is small or its results are large, so that all threads have some; N below the length of a "
      "query saves no memory, and a small N costs much time")
      ->each([&options](const std::string&) { options.batch_given = true; })
      ->group("Tuning");
  add_memory_limit(
      command, options.memory_limit,
      "Allocate at most SIZE; pages of the index file and buffers of a GPU do not count "
      "(default: some tens of MB per thread)");
  add_device_options(command, options.device, device);
}

void add_query_options(CLI::App& command, QueryOptions& options) {
  add_query_inputs(command, options);
  add_strand_option(command, options.strand);
  begin_group(command, "Search");
  add_number(command, "-k,--mismatches", options.mismatches, {0, most_mismatches},
             "Find every place with at most N mismatches (Hamming distance). A letter of a query "
             "other than A, C, G, T and U is a mismatch everywhere. A place that includes a symbol "
             "of the target other than A, C, G and T is never found");
  add_flag(command, "--iupac", options.iupac,
           "Read the letters of queries as IUPAC codes: R matches A and G, N any base");
  add_parsed(command, "--equal", "LETTERS",
             "In proteins and text, let these letters match one another: with --equal IL, I of a "
             "query matches I and L, and so does L; a comma separates groups, as in IL,DN. The CPU "
             "searches so",
             [&options](const std::string& text) { options.equal = EqualLetters(text); });
  add_circular_option(command, options.circular, "places");
  add_regions_option(command, options.regions, "hits");
  add_choice(command, "--palindromes", options.palindromes, {"twice", "once"},
             "When both strands are searched, report a place that a query matches on both, as one "
             "that is its own reverse complement does, twice (on each strand) or once (on the "
             "strand with fewer mismatches, of equal ones the forward strand)");
  add_query_outputs(command, options);
  add_query_resources(command, options,
                      "; cuda:N,M,... and cuda:all share the queries among several");
}

}  // namespace gsx::app
