#include "records/lists/listed_rows.hpp"

#include <charconv>
#include <system_error>
#include <utility>

#include "bytes/line_text.hpp"

namespace gsx {
namespace {

bool all_of(std::string_view field, std::string_view letters) {
  return std::ranges::all_of(field, [letters](char c) {
    return letters.find(static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c)) !=
           std::string_view::npos;
  });
}

bool all_have(const std::vector<std::string_view>& lines, char mark) {
  return std::ranges::all_of(
      lines, [mark](std::string_view line) { return line.find(mark) != line.npos; });
}

constexpr std::string_view no_break_space = "\xC2\xA0";

/// The field without the blanks of both kinds around it.
std::string_view without_spaces(std::string_view field) {
  for (std::size_t size = 0; size != field.size();) {
    size = field.size();
    field = without_blanks(field);
    if (field.starts_with(no_break_space)) field.remove_prefix(no_break_space.size());
    if (field.ends_with(no_break_space)) field.remove_suffix(no_break_space.size());
  }
  return field;
}

/// What stands between `begin` and `end`, if these are there.
std::string_view between(std::string_view field, std::string_view begin, std::string_view end) {
  const bool has =
      field.size() > begin.size() + end.size() && field.starts_with(begin) && field.ends_with(end);
  return has ? field.substr(begin.size(), field.size() - begin.size() - end.size())
             : std::string_view();
}

}  // namespace

std::string_view clean_cell(std::string_view field) {
  if (field.empty()) return field;
  // Most fields begin and end with nothing of the kind.
  const char first = field.front(), last = field.back();
  if (first != '=' && first != '5' && first != '\'' && first != no_break_space[0] &&
      last != no_break_space[1])
    return field;
  field = without_spaces(field);
  if (const auto text = between(field, "=\"", "\""); !text.empty()) field = without_spaces(text);
  for (const auto& [begin, end] :
       {std::pair{"5'-", "-3'"}, {"5' ", " 3'"}, {"5'", "3'"}, {"'", "'"}}) {
    const std::string_view letters = between(field, begin, end);
    if (letters_of(letters) != Letters::none) return letters;
  }
  return field;
}

Letters letters_of(std::string_view field) {
  field = without_suffix(field);
  if (field.empty()) return Letters::none;
  if (all_of(field, "ACGTUN")) return Letters::bases;
  if (all_of(field, "ACGTUNRYSWKMBDHVI")) return Letters::codes;
  return all_of(field, "ABCDEFGHIJKLMNOPQRSTUVWXYZ*") ? Letters::others : Letters::none;
}

bool is_number(std::string_view field) {
  double number = 0;
  if (field.starts_with('+')) field.remove_prefix(1);
  if (field.find_first_of("0123456789") == field.npos) return false;  // "nan" is none
  std::string text(field);
  std::ranges::replace(text, ',', '.');  // which is the decimal sign of many languages
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error != std::errc::invalid_argument && end == text.data() + text.size();
}

bool has_lower(std::string_view field) {
  return std::ranges::any_of(field, [](char c) { return c >= 'a' && c <= 'z'; });
}

bool has_upper(std::string_view field) {
  return std::ranges::any_of(field, [](char c) { return c >= 'A' && c <= 'Z'; });
}

bool is_plain_sequence(std::string_view field, std::size_t least) {
  field = without_suffix(field);
  return field.size() >= std::max<std::size_t>(least, 1) && all_of(field, "ACGTUNI");
}

bool is_count(std::string_view field) {
  return !field.empty() && field[0] != '0' &&
         field.find_first_not_of("0123456789") == std::string_view::npos;
}

bool is_well(std::string_view field) {
  return (field.size() == 2 || field.size() == 3) && has_upper(field.substr(0, 1)) &&
         field.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

bool is_word(std::string_view field) {
  if (letters_of(field) <= Letters::codes || field.empty() || is_number(field)) return false;
  const auto usual = std::ranges::count_if(field, [](char c) {
    return std::string_view("ACGTUNacgtun").find(c) != std::string_view::npos;
  });
  return 2 * static_cast<std::size_t>(usual) <= field.size();
}

StartLines::StartLines(std::string_view start, bool whole) {
  if (start.starts_with(byte_order_mark)) start.remove_prefix(byte_order_mark.size());
  while (!start.empty()) {
    const std::size_t end = start.find('\n');
    if (end == std::string_view::npos && !whole) break;
    std::string_view line = start.substr(0, end);
    start.remove_prefix(std::min(start.size(), line.size() + 1));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (is_comment(line)) {
      if (lines.empty()) comment = line.substr(line.find('#') + 1);
    } else if (lines.empty() && is_separator_line(line)) {
      separator = line.back();
    } else if (!is_empty_row(line)) {
      lines.push_back(line);
    }
  }
}

char separator_of(const std::vector<std::string_view>& lines) {
  for (const char mark : {'\t', ',', ';'})
    if (all_have(lines, mark)) return mark;
  return ' ';
}

std::string separators_of(const std::vector<std::string_view>& lines) {
  const char separator = separator_of(lines);
  if (separator == '\t') return "\t";
  // A comma may be the decimal sign of a table with semicolons.
  if (separator == ',' && all_have(lines, ';')) return "\t,;";
  return std::string("\t") + separator;
}

void ListFields::split(std::string_view line, char separator) {
  fields_.clear();
  made_.clear();
  made_.reserve(line.size());  // so that no field moves
  std::string_view rest = separator == ' ' ? without_blanks(line) : line;
  for (bool more = true; more;) {
    rest.remove_prefix(
        std::min(rest.find_first_not_of(separator == '\t' ? " " : blanks), rest.size()));
    if (rest.starts_with('"')) {
      const std::string_view whole = rest;
      const std::string_view field = unquoted(rest, separator);
      if (rest.size() != whole.size()) {
        fields_.push_back(clean_cell(field));
        more = !rest.empty();
        if (more) rest.remove_prefix(1);
        continue;
      }
    }
    const std::size_t end = separator == ' ' ? rest.find_first_of(blanks) : rest.find(separator);
    fields_.push_back(clean_cell(without_blanks(rest.substr(0, end))));
    more = end != std::string_view::npos;
    if (more) rest.remove_prefix(end + 1);
  }
}

/// The field in quotes that `rest` begins with, which is then taken off; nothing is if it does not
/// end before a separator.
std::string_view ListFields::unquoted(std::string_view& rest, char separator) {
  const std::size_t begin = made_.size();
  for (std::size_t at = 1; at < rest.size(); ++at) {
    if (rest[at] == '"') {
      if (at + 1 < rest.size() && rest[at + 1] == '"') {
        ++at;
      } else {
        std::size_t end = at + 1;
        while (separator != ' ' && end < rest.size() && rest[end] == ' ' && separator != rest[end])
          ++end;
        const bool ends =
            end == rest.size() || rest[end] == separator || (separator == ' ' && rest[end] == '\t');
        if (!ends) break;
        rest.remove_prefix(end);
        return without_blanks(std::string_view(made_).substr(begin));
      }
    }
    made_ += rest[at];
  }
  made_.resize(begin);
  return {};
}

bool has_open_quote(std::string_view line) {
  constexpr std::string_view marks = "\t,;";
  for (std::size_t begin = 0; begin < line.size();) {
    std::size_t at = std::min(line.find_first_not_of(' ', begin), line.size());
    bool open = line.substr(at, 1) == "\"";
    while (open) {
      at = line.find('"', at + 1);
      if (at == line.npos) return true;
      const char next = at + 1 < line.size() ? line[at + 1] : ' ';
      at += next == '"' ? 1 : 0;  // it stands for a quote
      open = next != ' ' && marks.find(next) == marks.npos;
    }
    begin = line.find_first_of(marks, at);
    if (begin == line.npos) break;
    ++begin;
  }
  return false;
}

std::string_view without_suffix(std::string_view sequence) {
  const std::size_t digits = sequence.find_last_not_of("0123456789");
  if (digits == std::string_view::npos || digits == 0 || digits + 1 == sequence.size() ||
      sequence[digits] != '-')
    return sequence;
  const std::string_view before = sequence.substr(0, digits);
  return all_of(before, "ACGTUN") ? before : sequence;
}

}  // namespace gsx
