// Finds the longest entry that each query begins with, and writes a line for it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "analysis/barcodes/prefix_entries.hpp"
#include "analysis/barcodes/set_report.hpp"
#include "run/pipeline.hpp"
#include "search/sets/prefix_finder.hpp"

namespace gsx {

struct PrefixFigures {
  std::uint64_t queries = 0;
  std::uint64_t matched = 0;          ///< that begin with an entry
  std::vector<std::uint64_t> counts;  ///< of each entry, the queries that it was found for
};

inline constexpr std::string_view prefix_header = "query_id\tentry_id\tlength\n";
inline constexpr std::string_view prefix_counts_header = "entry_id\tlength\tcount\n";

/// What the tasks of a run share.
struct PrefixRules {
  const PrefixEntries& entries;
  const PrefixFinder& finder;  ///< of the set of `entries`
  bool lines = true;           ///< whether lines are written; else queries are only counted
};

/// Writes the line of each query, and adds the queries of a batch to `all` when its text has been
/// written; then calls report(). Needs no alphabet of the pipeline. What it is given must outlive
/// the task. Pre: `all` has a count for each entry.
std::unique_ptr<QueryTask> make_prefix_task(const PrefixRules& rules, PrefixFigures& all,
                                            const std::function<void()>& report);

/// Writes a line per entry: its name, its length, and how many queries it was found for; and one
/// for the queries that begin with none.
void write_prefix_counts(const PrefixEntries& entries, const PrefixFigures& figures,
                         const WriteText& write);

}  // namespace gsx
