#include "seq/list_columns.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "seq/line_text.hpp"
#include "seq/list_finder.hpp"
#include "seq/list_rows.hpp"

namespace gsx {
namespace {

/// The columns that all lines have; of two ways to separate them, the one with the plainer
/// sequences.
std::optional<ListColumns> columns_of(const StartLines& lines, ListForm form) {
  std::optional<ListColumns> best;
  std::pair<Letters, std::size_t> least;
  const std::string separators =
      lines.separator != 0 ? std::string(1, lines.separator) : separators_of(lines.lines);
  for (const char separator : separators) {
    if (form == ListForm::pairs) {
      auto found = ColumnFinder(lines, separator, ListForm::named).find_single_primers();
      if (found) return found;
    }
    ColumnFinder finder(lines, separator, form);
    auto found = finder.find();
    if (!found) continue;
    if (separator == '\t') return found;
    const auto doubt = finder.doubt(*found);
    if (best && doubt >= least) continue;
    best = std::move(found);
    least = doubt;
  }
  // Names that are of no pair are told when two lines are taken for one.
  for (const char separator : separators) {
    if (best || form != ListForm::pairs) break;
    best = ColumnFinder(lines, separator, ListForm::named).find_single_primers(true);
  }
  return best;
}

/// The columns of all lines but one near the start, which is wrong. By tabs there are none: the
/// declared order tells as well what is wrong.
std::optional<ListColumns> columns_but_for_one(const StartLines& lines, ListForm form) {
  constexpr std::size_t most_tried = 8;
  if (lines.lines.size() < 2) return std::nullopt;
  const char separator = separator_of(lines.lines);
  if (separator != ',' && separator != ';') return std::nullopt;
  for (std::size_t i = 0; i < std::min(lines.lines.size(), most_tried); ++i) {
    StartLines others = lines;
    others.lines.erase(others.lines.begin() + static_cast<std::ptrdiff_t>(i));
    auto found = columns_of(others, form);
    if (found && !found->empty) return found;
  }
  return std::nullopt;
}

bool begins_with_semicolon(std::string_view line) {
  return without_blanks(line).starts_with(';');
}

}  // namespace

ListColumns declared_columns(ListForm form) {
  ListColumns columns;
  columns.form = form;
  columns.sequence = form == ListForm::counted ? 0 : 1;
  (form == ListForm::counted ? columns.count : columns.name) = form == ListForm::counted ? 1 : 0;
  if (form == ListForm::pairs) columns.reverse = 2;
  return columns;
}

ListColumns find_list_columns(std::string_view start, bool whole, ListForm form) {
  StartLines lines(start, whole);
  if (lines.lines.empty()) {
    ListColumns none = declared_columns(form);
    none.empty = true;
    return none;
  }
  // If a line fits no columns, those before it tell which it should have.
  const auto open = std::ranges::find_if(lines.lines, has_open_quote);
  bool all = open == lines.lines.end();
  lines.lines.erase(open, lines.lines.end());
  if (!all && lines.lines.size() == 1) {
    ColumnFinder finder(lines, separators_of(lines.lines).back(), form);
    if (finder.begins_with_words()) {
      ListColumns columns = finder.header_alone();
      columns.empty = false;  // an error follows
      return columns;
    }
  }
  for (; !lines.lines.empty(); all = false) {
    auto found = columns_of(lines, form);
    if (found && (all || !found->empty)) return std::move(*found);
    if (all) found = columns_but_for_one(lines, form);
    if (all && found) return std::move(*found);
    lines.lines.resize(lines.lines.size() / 2);
  }
  return declared_columns(form);
}

bool tells_list_columns(std::string_view start, ListForm form) {
  const StartLines lines(start, false);
  if (std::ranges::all_of(lines.lines, begins_with_semicolon)) return false;
  if (lines.lines.size() != 1) return true;
  return std::ranges::none_of(separators_of(lines.lines), [&](char separator) {
    return ColumnFinder(lines, separator, form).begins_with_words();
  });
}

bool begins_with_comments(std::string_view start, bool whole) {
  const StartLines lines(start, whole);
  const auto other = std::ranges::find_if_not(lines.lines, begins_with_semicolon);
  if (other != lines.lines.end()) {
    const std::string_view line = without_blanks(*other);
    return line.starts_with('>') || line.starts_with('@');
  }
  const ListRows rows(lines.lines, ';');
  bool has_bases = false;
  for (std::size_t c = 0; c < rows.most_columns(); ++c)
    has_bases = has_bases || rows.letters(c, 1) <= Letters::codes;
  return !whole && !has_bases;
}

}  // namespace gsx
