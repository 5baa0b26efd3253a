// What surrounds the text of a line: marks, blanks and comments.
#pragma once

#include <cstddef>
#include <string_view>

namespace gsx {

/// What some programs put before text in UTF-8.
inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// What separates the words of a line.
inline constexpr std::string_view blanks = " \t";

inline bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

/// The text without the blanks and tabs before it.
inline std::string_view without_leading_blanks(std::string_view text) {
  while (!text.empty() && is_blank(text.front()))
    text.remove_prefix(1);
  return text;
}

/// The text without the blanks and tabs before and behind it.
inline std::string_view without_blanks(std::string_view text) {
  text = without_leading_blanks(text);
  while (!text.empty() && is_blank(text.back()))
    text.remove_suffix(1);
  return text;
}

/// Whether a line is a comment: its first byte that is no blank is '#'.
inline bool is_comment(std::string_view line) {
  return without_leading_blanks(line).starts_with('#');
}

/// Whether a row of a table has no field that is filled.
inline bool is_empty_row(std::string_view line) {
  for (const char c : line)
    if (!is_blank(c) && c != ',' && c != ';') return false;
  return true;
}

/// Whether a line only says what separates the columns: `sep=;`, as Excel has it.
inline bool is_separator_line(std::string_view line) {
  return line.size() == 5 && line.substr(1, 3) == "ep=" && (line[0] == 's' || line[0] == 'S');
}

}  // namespace gsx
