// Which columns of a list evidently have sequences, and what the log says of its columns.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "records/lists/list_columns.hpp"
#include "records/lists/listed_rows.hpp"

namespace gsx {

/// Letters that a plain sequence has at least, where other columns may be sequences, too.
constexpr std::size_t least_plain_sequence = 4;

/// The columns of plain bases in every line from row `from` on, of at least `least` letters.
std::vector<std::size_t> plain_columns(const ListedRows& rows, std::size_t from, std::size_t least);

/// A column that may have the sequences instead.
struct OtherColumn {
  std::size_t symbols;
  bool doubtful;  ///< whether its cells have other letters than codes of bases, or very few
};

/// Whether cells of a column are plain sequences in half of the lines, and have as many symbols as
/// the other column; or in more lines, if that is doubtful. Lines of one column do not count.
bool is_mostly_plain(const ListedRows& rows, std::size_t from, std::size_t column,
                     const OtherColumn& other);

/// Whether another column than `declared` evidently has the sequences: it is of plain bases, in
/// most lines at least, and `declared` is not, or has three letters at most.
bool is_evident_elsewhere(const ListedRows& rows, std::size_t from, std::size_t declared);

/// What the log says of the columns of a list whose data begin in row `from`.
std::string list_note(const ListedRows& rows, const ListColumns& columns, std::size_t from);

}  // namespace gsx
