// Parts of a page: tables, figures and sections.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gsx {

struct TableColumn {
  std::string title;
  bool is_number = false;
};

/// Rows of cells, which are HTML; the first cell of a row is its heading.
struct Table {
  std::string caption;  ///< plain text
  std::vector<TableColumn> columns;
  std::vector<std::vector<std::string>> rows;
  bool is_wide = false;  ///< as wide as the page
};

/// A table that scrolls by itself where the page is too narrow, also by the keyboard.
std::string html_of(const Table& table);

/// A table of numbers that is behind a chart, closed until it is asked for.
std::string numbers_behind(const Table& table);

/// A chart and its title.
std::string figure(std::string_view title, const std::string& chart);

/// A section with a heading; `content` is HTML.
std::string section(std::string_view id, std::string_view heading, const std::string& content);

}  // namespace gsx
