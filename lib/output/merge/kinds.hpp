// How each kind of results is joined.
#pragma once

#include <vector>

#include "output/merge/kept_hits.hpp"
#include "output/merge/merge.hpp"

namespace gsx {

/// Tables with a line per query, whose numbers add up.
MergeFigures merge_rows(PartKind kind, PartFiles& parts, const MergeRules& rules, bool header,
                        Output& out);
/// Lines of hits and of counts by target, which only queries with hits have.
MergeFigures merge_groups(PartKind kind, PartFiles& parts, const MergeRules& rules, bool header,
                          Output& out);
/// JSON lines, one per query, with the hits inside.
MergeFigures merge_json(PartFiles& parts, const MergeRules& rules, Output& out);

/// A hit of a query that has more than --max-hits.
struct SpareHit {
  bool reverse;
  std::uint64_t mismatches;

  std::size_t class_in(const MergeRules& rules) const {
    if (rules.mismatches) return static_cast<std::size_t>(mismatches);
    return reverse ? 1 : 0;
  }
};
/// Which of these hits, which are in output order, are kept. Throws UsageError if they have more
/// mismatches than the rules say.
KeptHits kept_of(const std::vector<SpareHit>& hits, std::uint64_t most, const MergeRules& rules);

/// Throws UsageError for a part that --max-hits has truncated otherwise than the rules say.
void require_max_hits(const PartFile& part, std::uint64_t total, std::uint64_t reported,
                      bool truncated, const MergeRules& rules);
/// Throws InputError for a query that is not the one that the first part has, or the next of the
/// queries.
[[noreturn]] void fail_on_query(const PartFile& part, std::string_view found,
                                std::string_view expected);
/// Throws InputError for a line with another number of columns than the header.
[[noreturn]] void fail_on_columns(const PartFile& part, std::size_t found, std::size_t expected);
/// Throws InputError for a file that lies in several shards which do not follow one another.
[[noreturn]] void fail_on_order(const PartFile& part, std::string_view file);

}  // namespace gsx
