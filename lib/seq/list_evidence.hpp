// Which columns of a list evidently have sequences, and what the log says of its columns.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "seq/list_columns.hpp"
#include "seq/list_rows.hpp"

namespace gsx {

/// Letters that a plain sequence has at least, where other columns may be sequences, too.
constexpr std::size_t least_plain_sequence = 4;

/// The columns of plain bases in every line from row `from` on, of at least `least` letters.
std::vector<std::size_t> plain_columns(const ListRows& rows, std::size_t from, std::size_t least);

/// Whether another column than `declared` evidently has the sequences: it is of plain bases, and
/// `declared` is not, or has three letters at most.
bool is_evident_elsewhere(const ListRows& rows, std::size_t from, std::size_t declared);

/// What the log says of the columns of a list whose data begin in row `from`.
std::string list_note(const ListRows& rows, const ListColumns& columns, std::size_t from);

}  // namespace gsx
