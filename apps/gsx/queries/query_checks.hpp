// What a run of queries refuses before it begins.
#pragma once

#include <string>
#include <vector>

#include "index/store/index.hpp"
#include "queries/query_options.hpp"
#include "text/alphabet.hpp"

namespace gsx::app {

/// Refuses empty patterns: one occurs nowhere, and is most likely a variable that is not set.
void refuse_empty_patterns(const std::vector<std::string>& patterns);
/// Refuses empty patterns, and those with foreign symbols, such as a file name, or several patterns
/// in one.
void check_patterns(const std::vector<std::string>& patterns, const Alphabet& alphabet);
/// Refuses patterns that a search with mismatches cannot be asked for.
void check_patterns(const std::vector<std::string>& patterns, const MismatchRules& rules);
/// Refuses an index that cannot be searched with mismatches.
void require_bases(const Alphabet& alphabet, const QueryOptions& options);
/// Refuses a file that does not exist and whose name is a nucleotide sequence.
void refuse_patterns_as_files(const std::vector<std::string>& files);
/// Refuses outputs that would replace what the run reads, or each other.
void check_outputs(const QueryOptions& options, Session& session);
/// Refuses what a partial result has not: a terminal to go to, and a header line.
void require_part_output(const QueryOptions& options);
/// Opens outputs that are to be files, and lets go of them: before work that takes long, a missing
/// folder is to show. Throws what Output does.
void try_outputs(const QueryOptions& options);
/// Refuses a GPU for work that only the CPU does.
void require_cpu(const std::string& device, const std::string& work);

}  // namespace gsx::app
