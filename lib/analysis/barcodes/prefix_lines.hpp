// Finds the longest entry that each query begins with, and writes a line for it, in input order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "analysis/barcodes/prefix_entries.hpp"
#include "analysis/barcodes/set_report.hpp"
#include "base/stage_times.hpp"
#include "records/record_batch.hpp"
#include "search/sets/prefix_finder.hpp"

namespace gsx {

struct PrefixFigures {
  std::uint64_t queries = 0;
  std::uint64_t matched = 0;          ///< that begin with an entry
  std::vector<std::uint64_t> counts;  ///< of each entry, the queries that it was found for
};

inline constexpr std::string_view prefix_header = "query_id\tentry_id\tlength\n";
inline constexpr std::string_view prefix_counts_header = "entry_id\tlength\tcount\n";

struct PrefixPipeline {
  const PrefixEntries& entries;
  const PrefixFinder& finder;                      ///< of the set of `entries`
  int threads = 1;                                 ///< each parses, searches and formats
  std::size_t piece_bytes = std::size_t{4} << 20;  ///< bytes of text that a thread holds
  bool lines = true;            ///< whether lines are written; else queries are only counted
  StageTimes* times = nullptr;  ///< if not null, the times of the stages are added here
  /// Takes lines, one call at a time and in input order; `last` says whether those of a batch end.
  std::function<void(std::string_view text, bool last)> write = {};
  /// If there is one, called after each batch, one call at a time.
  std::function<void(const PrefixFigures&)> report = {};
};

/// Runs threads that take the next batch from `next`, and gives what they find. The lines depend
/// neither on the number of threads nor on where batches end. An error stops all threads and is
/// rethrown; if it came from `next`, the lines of all batches before it have been written.
PrefixFigures find_prefixes(const PrefixPipeline& pipeline, const NextBatch& next);

/// Writes a line per entry: its name, its length, and how many queries it was found for; and one
/// for the queries that begin with none.
void write_prefix_counts(const PrefixEntries& entries, const PrefixFigures& figures,
                         const WriteText& write);

}  // namespace gsx
