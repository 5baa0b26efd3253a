// gsx mem --pairs: the pairs of matches of two sets of sequences.
#pragma once

#include "commands/match_format.hpp"
#include "options/command_line.hpp"
#include "process/session.hpp"
#include "queries/query_run.hpp"

namespace gsx::app {

/// The options that ask for pairs, and for which.
struct PairOptions {
  bool pairs = false;
  bool mum = false;
  bool mum_reference = false;
  bool both_strands = false;  ///< whether unique means once on both strands together
};
void add_pair_options(CLI::App& command, PairOptions& options);

/// Which options go with --pairs only, and which do not; for the help.
std::string pair_notes();

/// Throws UsageError for options of pairs without --pairs, and with it for those that it does not
/// take.
void check_pair_options(const CLI::App& command, const PairOptions& options);

/// Writes the pairs of a target, which is the index, the references, or else the first file, and
/// of the other files.
void run_pairs(const PairOptions& options, const QueryOptions& query, const FormatOption& format,
               std::uint64_t min_length, Session& session);

}  // namespace gsx::app
