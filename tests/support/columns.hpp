// Lines of tables taken apart.
#pragma once

#include <string>
#include <vector>

namespace gsx::testing {

/// What tabs separate in a line.
inline std::vector<std::string> columns_of(const std::string& line) {
  std::vector<std::string> columns(1);
  for (const char c : line) {
    if (c == '\t') {
      columns.emplace_back();
    } else {
      columns.back() += c;
    }
  }
  return columns;
}

}  // namespace gsx::testing
