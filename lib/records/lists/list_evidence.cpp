#include "records/lists/list_evidence.hpp"

#include <algorithm>

namespace gsx {

std::vector<std::size_t> plain_columns(const ListedRows& rows, std::size_t from,
                                       std::size_t least) {
  std::vector<std::size_t> found;
  for (std::size_t c = 0; c < rows.most_columns(); ++c)
    if (rows.are_plain(c, from, least)) found.push_back(c);
  return found;
}

bool is_mostly_plain(const ListedRows& rows, std::size_t from, std::size_t column,
                     const OtherColumn& other) {
  std::size_t plain = 0, symbols = 0;
  for (std::size_t row = from; row < rows.size(); ++row) {
    if (rows[row].size() < 2 || !is_plain_sequence(rows[row][column], least_plain_sequence))
      continue;
    ++plain;
    symbols += rows[row][column].size();
  }
  const std::size_t lines = rows.size() - from;
  return (2 * plain > lines && other.doubtful) || (2 * plain >= lines && symbols >= other.symbols);
}

bool is_evident_elsewhere(const ListedRows& rows, std::size_t from, std::size_t declared) {
  Letters worst = Letters::bases;
  std::size_t symbols = 0, longest = 0;
  bool mixed = false;
  for (std::size_t row = from; row < rows.size(); ++row) {
    const std::string_view field = rows[row][rows[row].size() < 2 ? 0 : declared];
    worst = std::max(worst, letters_of(field));
    symbols += field.size();
    longest = std::max(longest, field.size());
    mixed = mixed || (has_lower(field) && has_upper(field));
  }
  const bool short_ones = longest < least_plain_sequence;
  if (worst == Letters::bases && !short_ones) return false;
  const bool surely = mixed || short_ones;
  for (std::size_t c = 0; c < rows.most_columns(); ++c) {
    if (c == declared) continue;
    const OtherColumn other = {symbols, short_ones || worst > Letters::codes};
    if (!rows.are_plain(c, from, least_plain_sequence) && is_mostly_plain(rows, from, c, other))
      return true;
    // A name is hardly a protein that ends.
    if (short_ones && c == 0 && worst > Letters::bases && rows.are_proteins(c, from)) return true;
    if (!rows.are_plain(c, from, least_plain_sequence)) continue;
    const std::size_t plain = rows.symbols(c, from);
    if (surely || plain >= symbols) return true;
    if (worst > Letters::codes && (rows.size() > from + 1 || 2 * plain >= symbols)) return true;
  }
  return false;
}

std::string list_note(const ListedRows& rows, const ListColumns& columns, std::size_t from) {
  std::vector<std::string> parts;
  if (columns.separator == ',') parts.emplace_back("commas separate the columns");
  if (columns.separator == ';') parts.emplace_back("semicolons separate the columns");
  if (!columns.declared || columns.separator != '\t') {
    const auto number = [](std::size_t c) { return "column " + std::to_string(c + 1); };
    std::string what =
        number(columns.sequence) +
        (columns.reverse == ListColumns::none ? " is the sequence" : " is the forward primer, ");
    if (columns.reverse != ListColumns::none) what += number(columns.reverse) + " the reverse";
    if (columns.name != ListColumns::none) what += ", " + number(columns.name) + " the name";
    if (columns.count != ListColumns::none) what += ", " + number(columns.count) + " the count";
    parts.push_back(what);
  }
  if (columns.suffixed) parts.emplace_back("the numbers at the ends of sequences are left out");
  if (!columns.header.empty()) parts.emplace_back("the first line is taken for a header");
  std::size_t further = 0;
  for (std::size_t c = rows.most_columns() == 1 ? 1 : 0; c < rows.most_columns(); ++c) {
    const bool taken =
        c == columns.sequence || c == columns.reverse || c == columns.name || c == columns.count;
    further += !taken && rows.any_field(c, from) ? 1 : 0;
  }
  if (further == 1) parts.emplace_back("1 further column is passed over");
  if (further > 1) parts.push_back(std::to_string(further) + " further columns are passed over");
  std::string note;
  for (const std::string& part : parts)
    note += (note.empty() ? "" : "; ") + part;
  return note;
}

}  // namespace gsx
