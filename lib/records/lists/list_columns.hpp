// Finds the columns of a list: where its sequences, names and counts are, and what separates them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "records/decoding.hpp"

namespace gsx {

/// A field of a table without what surrounds it: no-break spaces, `="..."` as Excel writes text,
/// and quotes or the ends of a strand around letters: 'ACGT', 5'-ACGT-3'.
std::string_view clean_cell(std::string_view field);

/// The fields of a line, without what surrounds them: blanks, quotes, and as clean_cell().
class ListFields {
 public:
  /// Replaces the fields by those of `line`. They are valid as long as the line and this object.
  /// `separator` is a tab, a comma, a semicolon, or a space, which stands for any run of blanks.
  void split(std::string_view line, char separator);

  std::size_t size() const { return fields_.size(); }
  /// Field i; empty if the line ends before it.
  std::string_view operator[](std::size_t i) const {
    return i < fields_.size() ? fields_[i] : std::string_view();
  }

 private:
  std::string_view unquoted(std::string_view& rest, char separator);

  std::vector<std::string_view> fields_;
  std::string made_;  ///< fields with doubled quotes
};

/// Where a list has what. By default, it is in the declared order: a name and a sequence (or a
/// sequence and a count, or a name and two primers), separated by a tab; or a sequence alone.
struct ListColumns {
  static constexpr std::size_t none = ~std::size_t{0};
  /// As much of a list as its columns are told by.
  static constexpr std::size_t start_bytes = std::size_t{64} << 10;

  ListForm form = ListForm::named;
  char separator = '\t';
  /// Whether a line of one field is a sequence: so in the declared order.
  bool declared = true;
  bool empty = false;     ///< whether no line has a sequence
  bool quoted = false;    ///< whether fields are in quotes
  bool suffixed = false;  ///< whether sequences end in a number, such as -1
  bool counted = false;   ///< whether some lines have a count
  std::size_t sequence = none, name = none, count = none;
  std::size_t reverse = none;  ///< of primers: the second sequence
  std::string header;          ///< the line that names the columns; empty if there is none
  std::string wrong;           ///< why the list cannot be read; empty if it can
  std::string note;            ///< for the log: what was found; empty if there is nothing to say

  /// Whether lines are read as they always were: the declared order, by tabs, without quotes.
  bool is_plain() const { return declared && separator == '\t' && !quoted && !suffixed; }
};

/// The columns in the declared order.
ListColumns declared_columns(ListForm form);

/// The columns of a list that begins with `start`. The last line counts only if `whole`, or if it
/// has its end. If no columns fit all lines, they are those of the first lines, or the declared
/// ones, so that whoever reads the lines says which is wrong. Pre: `form` is not none. Cost: some
/// passes over `start`.
ListColumns find_list_columns(std::string_view start, bool whole, ListForm form);

/// Whether the lines that have come tell the columns: there is one that is no header, and that does
/// not begin with ';', as comments before records may.
bool tells_list_columns(std::string_view start, ListForm form);

/// Whether the lines that begin with ';' at the start of a file, which is not known to be a list,
/// are comments: records follow, or, if the file goes on with such lines, they hold no column of
/// bases. The last line counts only if `whole`, or if it has its end.
bool begins_with_comments(std::string_view start, bool whole);

/// Whether a field of the line begins with a quote that nothing ends: it goes on in the next line.
bool has_open_quote(std::string_view line);

/// What an error says of such a line.
constexpr const char* open_quote =
    "a quote that the line does not end: a field in quotes with a line end inside cannot be read; "
    "put each row on a line of its own";

/// A sequence without a number behind it, such as -1 in barcodes of cells.
std::string_view without_suffix(std::string_view sequence);

}  // namespace gsx
