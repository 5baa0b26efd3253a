// What a report says of a run: the file of --summary.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "output/summary/run_summary.hpp"

namespace gsx {

/// The figures of a run that has a summary.
struct RunFacts {
  /// What is counted: queries and their hits, reads that are passed on, queries that begin with an
  /// entry of a set, or short sequences that are compared.
  enum class Kind : std::uint8_t { search, filter, prefix, neighbors };

  std::string sample;   ///< the name of the file, without suffixes
  std::string version;  ///< of gsx
  std::string command;
  Kind kind = Kind::search;
  std::uint64_t queries = 0;  ///< or reads
  std::uint64_t matched = 0;
  std::uint64_t cannot_match = 0;
  std::uint64_t truncated = 0;  ///< not of filter
  std::uint64_t hits = 0;
  std::optional<std::uint64_t> hits_forward, hits_reverse;  ///< where hits have strands
  std::uint64_t written = 0, bases = 0, bases_written = 0;  ///< of filter
  std::uint64_t entries = 0, entries_matched = 0;           ///< of prefix
  /// Of neighbors.
  std::uint64_t too_short = 0, distinct = 0, length = 0;
  std::optional<std::uint64_t> pairs, clusters;  ///< one of these, or corrections
  std::uint64_t exact = 0, corrected = 0, ambiguous = 0, unmatched = 0;
  bool has_corrections = false;
  /// The index that was searched, if there was one and the summary names it.
  std::optional<std::uint64_t> index_checksum;
  std::string index_file;  ///< its name; "" if it was in memory
  std::string options;     ///< as NAME VALUE, separated by semicolons
};

/// What a page says of a summary. Throws InputError for one that lacks a figure, has one of 2^48 or
/// more, so that totals over 2^16 runs fit 64 bits, or contradicts itself.
RunFacts run_facts(const RunSummary& summary);

/// Gives samples names: those of their files without folder and suffixes, which are .gz or .bgz,
/// .json, that of the command, such as .count, and .summary. Where two runs of a command would have
/// one name, the paths.
void name_samples(std::vector<RunFacts>& runs, const std::vector<std::string>& paths);

}  // namespace gsx
