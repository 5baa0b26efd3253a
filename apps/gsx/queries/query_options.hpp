// The options that the commands share which search for queries.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "inputs/reference_text.hpp"
#include "inputs/target_choice.hpp"
#include "options/command_line.hpp"
#include "options/numbers.hpp"
#include "options/options.hpp"
#include "options/strand_option.hpp"
#include "output/json/json.hpp"
#include "run/query_source.hpp"
#include "run/query_tasks.hpp"
#include "text/equal_letters.hpp"

namespace gsx::app {

/// The queries, the index to search or sequences to index in memory, and where results go.
struct QueryOptions : TargetOptions {
  QueryInputs inputs;
  ReferenceOptions reading;  ///< of them; whole_header and cram_reference are of queries, too
  std::string output;
  std::string unmatched;
  std::string summary;
  std::vector<std::string> side_outputs;  ///< names of further ones, or ""
  DeviceOptions device;
  std::string strand = "both";
  std::string palindromes = "twice";
  /// Bytes of a batch: so many reads that a GPU spends its time on them, not on calls of its
  /// driver.
  std::uint64_t batch = std::uint64_t{2} << 20;
  bool batch_given = false;
  SizeLimit memory_limit;
  std::uint64_t mismatches = 0;
  bool iupac = false;
  std::vector<std::string> circular;  ///< names of circular records
  std::string regions;                ///< a file of those whose hits are kept, or ""
  std::uint64_t regions_read = 0;
  std::string regions_checksum;  ///< see ReadRegions
  EqualLetters equal;            ///< letters that count as one another
  bool tag_files = false;
  bool no_header = false;
  bool qualities = false;      ///< whether tasks need the qualities of queries
  bool binary = false;         ///< whether the output is BGZF, whatever its name
  bool sorted = false;         ///< whether to sort all lines of the run by position
  bool by_file = false;        ///< whether results name the input files of the index
  bool takes_patterns = true;  ///< whether the command has -p
  bool with_rules = true;      ///< whether the command has -k, --iupac and --palindromes
  const char* memory_cure = "--batch or --memory-limit";  ///< options to name when memory is short

  Strands strands() const { return strands_named(strand); }
  /// The options that affect results.
  JsonMembers as_json() const;
  MismatchRules rules() const { return {static_cast<std::uint32_t>(mismatches), iupac}; }
  /// Whether queries are searched with mismatches or as sets of bases; otherwise exactly.
  bool with_mismatches() const { return mismatches != 0 || iupac; }
  /// Whether batches may be smaller than --batch: not if the user has given it, nor in a search
  /// with mismatches, which shares each batch among all threads.
  bool adapts_batches() const { return !batch_given && !with_mismatches(); }
  /// Most bytes of a batch for an input of so many (0: not known): a few for each thread.
  std::uint64_t batch_for(std::uint64_t input_bytes, int threads) const;
  /// Whether a place that matches on both strands is reported once.
  bool palindromes_once() const { return palindromes == "once" && strand == "both"; }
};
/// What the pages of commands with -k and --iupac say of both.
inline constexpr const char* mismatch_notes =
    "With -k or --iupac, a place that includes a symbol of the target other than A, C, G and T "
    "(N, for instance) is never found, not even as a mismatch; the log tells how many such symbols "
    "there are. A query that is not longer than K cannot be searched, nor can one that holds a "
    "character other than a letter, or with --iupac one of N alone or with a letter that is no "
    "IUPAC code. Such a query has no hits, and a warning counts them; given by -p, it ends the run "
    "with exit code 2, and if all queries are such, the exit code is 3.";

/// Adds all of them; the functions after it add parts of them.
void add_query_options(CLI::App& command, QueryOptions& options);
void add_query_inputs(CLI::App& command, QueryOptions& options);
/// Adds -x and -r.
void add_search_target(CLI::App& command, QueryOptions& options);
/// `found`: what queries of --unmatched lack, and what --summary counts.
void add_query_outputs(CLI::App& command, QueryOptions& options, const char* found = "hits");
/// `device` continues the description of --device.
void add_query_resources(CLI::App& command, QueryOptions& options, const char* device);

}  // namespace gsx::app
