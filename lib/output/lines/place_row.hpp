// What the rows of all results with places have, and how formats with fixed fields take it.
#pragma once

#include <cstdint>

#include "output/lines/gff3.hpp"
#include "output/lines/line_layout.hpp"

namespace gsx {

/// Where something lies in a record: 0-based and half-open, on the forward strand.
struct PlaceRow {
  ShownName name;            ///< of what lies there
  ShownName target;          ///< the record
  ShownName file;            ///< that the record came from, if it is asked for
  std::uint64_t record = 0;  ///< its number
  std::uint64_t target_length = 0;
  std::uint64_t start = 0;
  std::uint64_t end = 0;  ///< greater than the length of the record if the place spans its origin
  char strand = '+';
  std::uint64_t total = 0;     ///< places in all of what has the name
  std::uint64_t reported = 0;  ///< of these, those that are written

  bool truncated() const { return reported < total; }
};

/// The columns of a place, and those that tell whether it is one of many.
using PlaceColumns =
    Columns<Column<"target_id", &PlaceRow::target>, Column<"start", &PlaceRow::start>,
            Column<"end", &PlaceRow::end>, Column<"strand", &PlaceRow::strand>>;
using TotalColumns =
    Columns<Column<"n_total", &PlaceRow::total>, Column<"n_reported", &PlaceRow::reported>,
            Column<"truncated", &PlaceRow::truncated>>;
/// Columns, and behind them the file that the record came from.
template <class List>
using WithFile = Joined<List, Columns<Column<"file_id", &PlaceRow::file>>>;

/// A line of BED6, of the columns that are its name and its score.
template <class List, Literal name, Literal score>
using BedLine = TabbedLine<Pick<List, "target_id", "start", "end", name, score, "strand">>;

/// The place as formats have it that count from 1. One of no symbols is that behind the symbol
/// which is named, as the specification of GFF3 has it.
struct StartFromOne {
  static std::uint64_t of(const PlaceRow& row) {
    if (row.start < row.end) return row.start + 1;
    return row.start == 0 ? row.target_length : row.start;
  }
};
struct EndFromOne {
  static std::uint64_t of(const PlaceRow& row) {
    return row.start < row.end ? row.end : StartFromOne::of(row);
  }
};
/// The score of columns that have none.
struct NoScore {
  static Score of(const PlaceRow&) { return {}; }
};

namespace columns_detail {

template <class Column>
struct Gff3Attribute : Column {
  static constexpr auto before = Literal(";") + Column::name + Literal("=");
};
template <Literal type, class Name, class ScoreColumn, class Attributes>
struct Gff3;
template <Literal type, class Name, class ScoreColumn, class... Attribute>
struct Gff3<type, Columns<Name>, Columns<ScoreColumn>, Columns<Attribute...>> {
  using Line = LineLayout<TextValues, "\n", Field<"", Column<"seqid", &PlaceRow::target>>,
                          Field<Literal("\tgsx\t") + type + Literal("\t"), StartFromOne>,
                          Field<"\t", EndFromOne>, Field<"\t", ScoreColumn>,
                          Field<"\t", Column<"strand", &PlaceRow::strand>>,
                          Field<"\t.\tName=", Name>, Gff3Attribute<Attribute>...>;
};

}  // namespace columns_detail

/// A line of GFF3: `type` is a term of the Sequence Ontology, and the columns that fill no field
/// are attributes.
template <class List, Literal type, Literal name, class ScoreColumn = Columns<NoScore>>
using Gff3Line = typename columns_detail::Gff3<
    type, Pick<List, name>, ScoreColumn,
    Without<List, "target_id", "start", "end", "strand", name, "score">>::Line;

}  // namespace gsx
