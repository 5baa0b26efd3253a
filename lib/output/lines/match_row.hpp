// The columns of mem.
#pragma once

#include <cstdint>

#include "output/lines/paf_line.hpp"

namespace gsx {

/// A maximal match, and a place of it; or a pair of matches. `total` is the number of its places.
struct MatchRow : PlaceRow {
  std::uint64_t query_length = 0;
  std::uint64_t query_start = 0;
  std::uint64_t length = 0;
  std::uint64_t forward = 0;  ///< places on each strand
  std::uint64_t reverse = 0;

  std::uint64_t query_end() const { return query_start + length; }
  std::uint64_t matches() const { return length; }
  std::uint64_t size() const { return length; }
};

using MatchIntervalColumns =
    Columns<Column<"query_id", &MatchRow::name>,
            Column<"qstart", &MatchRow::query_start, "query_start">,
            Column<"qend", &MatchRow::query_end, "query_end">, Column<"length", &MatchRow::length>>;
using MatchPlaceColumns =
    Columns<Column<"target_id", &MatchRow::target>, Column<"tstart", &MatchRow::start, "start">,
            Column<"tend", &MatchRow::end, "end">, Column<"strand", &MatchRow::strand>>;

using MatchColumns =
    Joined<MatchIntervalColumns,
           Columns<Column<"n_fwd", &MatchRow::forward>, Column<"n_rev", &MatchRow::reverse>>>;
using LocatedMatchColumns = Joined<MatchColumns, MatchPlaceColumns, TotalColumns>;
using PairColumns = Joined<MatchIntervalColumns, MatchPlaceColumns>;

/// How much of a query lies in matches.
struct CoverageRow {
  ShownName name;
  std::uint64_t length = 0;
  std::uint64_t matches = 0;
  std::uint64_t covered = 0;
};

using CoverageColumns =
    Columns<Column<"query_id", &CoverageRow::name>, Column<"length", &CoverageRow::length>,
            Column<"n_matches", &CoverageRow::matches>, Column<"covered", &CoverageRow::covered>>;

/// Lines of PAF, whose CIGAR, the last tag, is the length.
template <class... Tag>
using MatchPaf =
    PafLine<MatchRow, "=\n", Field<"\t255\tNM:i:0\tnh:i:", Column<"nh", &MatchRow::total>>, Tag...,
            Field<"\tcg:Z:", Column<"cg", &MatchRow::length>>>;
using PairPaf =
    PafLine<MatchRow, "=\n", Field<"\t255\tNM:i:0\tcg:Z:", Column<"cg", &MatchRow::length>>>;
using PairPafWithFile =
    PafLine<MatchRow, "=\n", Field<"\t255\tNM:i:0\tfi:Z:", Column<"fi", &MatchRow::file>>,
            Field<"\tcg:Z:", Column<"cg", &MatchRow::length>>>;

}  // namespace gsx
