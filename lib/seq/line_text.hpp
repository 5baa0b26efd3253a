// What surrounds the text of a line: marks, blanks and comments.
#pragma once

#include <cstddef>
#include <string_view>

namespace gsx {

/// What some programs put before text in UTF-8.
inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// The text without the blanks and tabs before and behind it.
inline std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view blanks = " \t";
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

/// Whether a line is a comment: its first byte that is no blank is '#'.
inline bool is_comment(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t");
  return begin != std::string_view::npos && line[begin] == '#';
}

}  // namespace gsx
