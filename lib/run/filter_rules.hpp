// Which reads a filter lets through, and what it has counted.
#pragma once

#include <cstdint>
#include <vector>

#include "search/matches/matches.hpp"

namespace gsx {

/// Which reads pass.
struct FilterRules {
  MatchRequest request;
  /// A read matches if maximal matches cover at least this part of its symbols; 0: if it has one.
  double min_cover = 0;
  bool keep_matching = false;  ///< whether reads that match pass, or those that do not
  bool both = false;           ///< whether a pair matches only if both mates do

  bool passes(bool matches) const { return matches == keep_matching; }
  bool matches(bool first, bool second) const { return both ? first && second : first || second; }
};

/// How the reads of the input belong together.
enum class ReadPairing : std::uint8_t {
  none,         ///< each read stands alone
  interleaved,  ///< the mates of a pair follow one another
  files,        ///< the mates of a pair have the same place in two files
};

struct FilterFigures {
  std::uint64_t reads = 0;
  std::uint64_t reads_matched = 0;
  std::uint64_t reads_that_cannot_match = 0;  ///< see count_unmatchable()
  std::uint64_t reads_too_short = 0;          ///< of these, shorter than MatchRequest::min_length
  std::uint64_t reads_like_dna = 0;           ///< of an index of proteins: that look like DNA
  std::uint64_t reads_written = 0;
  std::uint64_t pairs = 0;
  std::uint64_t pairs_matched = 0;
  std::uint64_t bases = 0;
  std::uint64_t bases_written = 0;
};

/// Sets matched[i] for each query: to 1 if it matches by the rules, else to 0.
void find_matching(const MatchSearcher& searcher, const Patterns& queries, const FilterRules& rules,
                   std::vector<std::uint8_t>& matched);

/// How many of the queries that do not match cannot do so in any text: they have no `min_length`
/// symbols of the alphabet in a row.
std::uint64_t count_unmatchable(const Patterns& queries, std::uint64_t min_length,
                                const std::vector<std::uint8_t>& matched);

/// How many of the queries are shorter than `min_length`.
std::uint64_t count_shorter(const Patterns& queries, std::uint64_t min_length);

}  // namespace gsx
