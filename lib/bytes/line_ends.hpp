// Line ends of old Macs, and of some exports of spreadsheets: CR alone.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>

namespace gsx {

/// Whether lines end by CR alone in a file that begins with `start`: there is a CR, and no LF. A CR
/// at the end counts only if the file is `whole`: an LF may follow it.
inline bool ends_lines_by_cr(std::string_view start, bool whole) {
  const std::size_t cr = start.find('\r');
  return cr != start.npos && (whole || cr + 1 < start.size()) && start.find('\n') == start.npos;
}

/// Makes each CR an LF.
inline void end_lines_by_lf(std::span<char> text) {
  std::ranges::replace(text, '\r', '\n');
}

}  // namespace gsx
