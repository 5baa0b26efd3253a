// Tells whether the first line of a list is a header.
#pragma once

#include "records/lists/list_columns.hpp"
#include "records/lists/listed_rows.hpp"

namespace gsx {

/// Whether the first line is a header of these columns, which the others have: a word, and no
/// sequence, where they have a sequence, or where they have a number. Pre: there are two lines.
bool is_list_header(const ListedRows& rows, const ListColumns& columns, ListForm form);

/// The lines but for those that repeat the first one, if it has no plain sequence.
std::vector<std::string_view> without_repeats(const std::vector<std::string_view>& lines,
                                              char separator);

}  // namespace gsx
