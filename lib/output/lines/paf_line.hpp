// Lines of PAF.
#pragma once

#include "output/lines/place_row.hpp"

namespace gsx {

/// The twelve columns, of a row that has a place of a query in a record, but for the mapping
/// quality, which the first tag has before it.
template <class Row, Literal behind, class... Tag>
using PafLine = LineLayout<
    TextValues, behind, Field<"", Column<"query", &Row::name>>,
    Field<"\t", Column<"length", &Row::query_length>>,
    Field<"\t", Column<"start", &Row::query_start>>, Field<"\t", Column<"end", &Row::query_end>>,
    Field<"\t", Column<"strand", &Row::strand>>, Field<"\t", Column<"target", &Row::target>>,
    Field<"\t", Column<"length", &Row::target_length>>, Field<"\t", Column<"start", &Row::start>>,
    Field<"\t", Column<"end", &Row::end>>, Field<"\t", Column<"matches", &Row::matches>>,
    Field<"\t", Column<"size", &Row::size>>, Tag...>;

/// The tag of the file that the target came from.
using PafFile = Field<"\tfi:Z:", Column<"fi", &PlaceRow::file>>;

}  // namespace gsx
