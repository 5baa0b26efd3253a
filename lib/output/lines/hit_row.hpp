// The columns of count and locate.
#pragma once

#include <cstdint>

#include "output/lines/place_row.hpp"
#include "search/exact/hits.hpp"

namespace gsx {

/// How often a query occurs, in all or in a record or file.
struct CountRow {
  ShownName name;
  std::uint64_t length = 0;
  ShownName place;  ///< the record or the file
  StrandCounts counts;

  std::uint64_t total() const { return counts.total(); }
  std::uint64_t forward() const { return counts.forward; }
  std::uint64_t reverse() const { return counts.reverse; }
};

using StrandColumns =
    Columns<Column<"count", &CountRow::total>, Column<"count_fwd", &CountRow::forward>,
            Column<"count_rev", &CountRow::reverse>>;
using CountColumns =
    Joined<Columns<Column<"query_id", &CountRow::name>, Column<"length", &CountRow::length>>,
           StrandColumns>;
using RecordCountColumns =
    Joined<Columns<Column<"query_id", &CountRow::name>, Column<"target_id", &CountRow::place>>,
           StrandColumns>;
using FileCountColumns =
    Joined<Columns<Column<"query_id", &CountRow::name>, Column<"file_id", &CountRow::place>>,
           StrandColumns>;

/// A hit, or one of two parts of it. `name` is the query, and `total` the number of its hits.
struct HitRow : PlaceRow {
  std::uint64_t query_length = 0;
  std::uint64_t query_start = 0;  ///< of the symbols of the query that lie there
  std::uint32_t mismatches = 0;
  Word cigar;

  std::uint64_t size() const { return end - start; }
  std::uint64_t query_end() const { return query_start + size(); }
  std::uint64_t matches() const { return size() - mismatches; }
};

using HitColumns = Joined<Columns<Column<"query_id", &HitRow::name>>, PlaceColumns,
                          Columns<Column<"mismatches", &HitRow::mismatches>>, TotalColumns>;
/// What JSON lines tell of a query.
using HitQueryColumns =
    Joined<Columns<Column<"query_id", &HitRow::name>, Column<"length", &HitRow::query_length>>,
           TotalColumns>;

}  // namespace gsx
