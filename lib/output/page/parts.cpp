#include "output/page/parts.hpp"

#include <spdlog/fmt/fmt.h>

#include "output/page/html.hpp"

namespace gsx {

std::string html_of(const Table& table) {
  const std::string caption = html_text(table.caption);
  std::string out = fmt::format(
      "<div class=\"scroll\" role=\"region\" aria-label=\"{0}\" tabindex=\"0\">\n<table{1}>\n"
      "<caption>{0}</caption>\n<thead><tr>",
      caption, table.is_wide ? " class=\"wide\"" : "");
  for (const TableColumn& column : table.columns) {
    if (column.title.empty()) {
      out += "<td></td>";  // of bars, which repeat a number
      continue;
    }
    out += fmt::format("<th scope=\"col\"{}>{}</th>", column.is_number ? " class=\"num\"" : "",
                       html_text(column.title));
  }
  out += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    out += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool is_number = table.columns[i].is_number;
      const char* const kind = is_number ? " class=\"num\"" : i == 0 ? " class=\"name\"" : "";
      out += i == 0 ? fmt::format("<th scope=\"row\"{}>{}</th>", kind, row[i])
                    : fmt::format("<td{}>{}</td>", kind, row[i]);
    }
    out += "</tr>\n";
  }
  return out + "</tbody>\n</table>\n</div>\n";
}

std::string numbers_behind(const Table& table) {
  return fmt::format("<details><summary>Numbers: {}</summary>\n{}</details>\n",
                     html_text(table.caption), html_of(table));
}

std::string figure(std::string_view title, const std::string& chart) {
  return fmt::format("<figure><figcaption>{}</figcaption>\n{}</figure>\n", html_text(title), chart);
}

std::string section(std::string_view id, std::string_view heading, const std::string& content) {
  return fmt::format("<section aria-labelledby=\"{0}\">\n<h2 id=\"{0}\">{1}</h2>\n{2}</section>\n",
                     id, html_text(heading), content);
}

}  // namespace gsx
