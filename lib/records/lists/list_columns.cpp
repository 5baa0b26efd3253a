#include "records/lists/list_columns.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "bytes/line_text.hpp"
#include "records/lists/list_finder.hpp"
#include "records/lists/listed_rows.hpp"

namespace gsx {
namespace {

/// Columns that were found, and ColumnFinder::doubt() of them.
struct FoundColumns {
  ListColumns columns;
  std::pair<Letters, std::size_t> doubt;
};

/// The columns that all lines have; of two ways to separate them, the one with the plainer
/// sequences.
std::optional<FoundColumns> columns_of(const StartLines& lines, ListForm form) {
  std::optional<FoundColumns> best;
  const std::string separators =
      lines.separator != 0 ? std::string(1, lines.separator) : separators_of(lines.lines);
  for (const char separator : separators) {
    if (form == ListForm::pairs) {
      ColumnFinder finder(lines, separator, ListForm::named);
      if (auto found = finder.find_single_primers())
        return FoundColumns{*found, finder.doubt(*found)};
    }
    ColumnFinder finder(lines, separator, form);
    const auto found = finder.find();
    if (!found) continue;
    const auto doubt = finder.doubt(*found);
    if (!best || doubt < best->doubt) best = FoundColumns{*found, doubt};
    if (separator == '\t') break;
  }
  // Names that are of no pair are told when two lines are taken for one.
  for (const char separator : separators) {
    if (best || form != ListForm::pairs) break;
    ColumnFinder finder(lines, separator, ListForm::named);
    if (auto found = finder.find_single_primers(true))
      best = FoundColumns{*found, finder.doubt(*found)};
  }
  return best;
}

/// The lines with as many plain sequences as most lines that have any; also the first line, which
/// may be a header, if `first` and it has none.
std::vector<std::string_view> usual_lines(const std::vector<std::string_view>& lines, bool first) {
  const ListedRows rows(lines, separator_of(lines));
  std::vector<std::size_t> plain(rows.size()), lines_with(rows.most_columns() + 1);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (std::size_t c = 0; c < rows[row].size(); ++c)
      plain[row] += is_plain_sequence(rows[row][c], least_plain_sequence) ? 1 : 0;
    ++lines_with[plain[row]];
  }
  const auto most = std::max_element(lines_with.begin() + 1, lines_with.end());
  const auto usual = static_cast<std::size_t>(most - lines_with.begin());
  std::vector<std::string_view> kept;
  for (std::size_t row = 0; row < rows.size(); ++row)
    if (plain[row] == usual || (first && row == 0 && plain[row] == 0)) kept.push_back(lines[row]);
  return kept;
}

/// The columns of a list with wrong lines: of all lines but one near the start, or of those that
/// have as many sequences as most, what gives the plainest and the most.
std::optional<ListColumns> columns_of_most(const StartLines& lines, ListForm form) {
  constexpr std::size_t most_tried = 8;
  if (lines.lines.size() < 2) return std::nullopt;
  std::optional<FoundColumns> best;
  const auto attempt = [&](std::vector<std::string_view> kept) {
    if (kept.empty()) return;
    StartLines others = lines;
    others.lines = std::move(kept);
    const auto found = columns_of(others, form);
    if (!found || found->columns.empty || (best && found->doubt >= best->doubt)) return;
    // A wrong line that comes first only now is no header.
    const std::string& header = found->columns.header;
    if (header.empty() || header == lines.lines[0]) best = found;
  };
  for (std::size_t i = 0; i < std::min(lines.lines.size(), most_tried); ++i) {
    auto kept = lines.lines;
    kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(i));
    attempt(std::move(kept));
  }
  for (const bool first : {true, false})
    attempt(usual_lines(lines.lines, first));
  return best ? std::optional(std::move(best->columns)) : std::nullopt;
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
    if (found && (all || !found->columns.empty)) return std::move(found->columns);
    auto of_most = all ? columns_of_most(lines, form) : std::nullopt;
    if (of_most) return std::move(*of_most);
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
  const ListedRows rows(lines.lines, ';');
  bool has_bases = false;
  for (std::size_t c = 0; c < rows.most_columns(); ++c)
    has_bases = has_bases || rows.letters(c, 1) <= Letters::codes;
  return !whole && !has_bases;
}

}  // namespace gsx
