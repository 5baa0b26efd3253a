#include "input_list.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"
#include "seq/line_reader.hpp"
#include "seq/list_columns.hpp"
#include "seq/list_words.hpp"
#include "seq/sequence_file.hpp"

namespace gsx::app {
namespace {

[[noreturn]] void fail_on_standard_input() {
  throw UsageError("standard input cannot be the list of files and a file of sequences");
}

/// A line, by its number.
struct Line {
  std::uint64_t number;
  std::string text;
};

/// The lines of a list that say something.
std::vector<Line> lines_of(LineReader& reader) {
  std::vector<Line> lines;
  while (reader.next_entry()) {
    if (has_open_quote(reader.line())) reader.fail(open_quote);
    lines.push_back({reader.number(), std::string(reader.line())});
  }
  return lines;
}

bool is_there(std::string_view file) {
  std::error_code error;
  return file == "-" || (!file.empty() && std::filesystem::exists(file, error));
}

/// Whether all files exist, but for a first line that is a header.
template <class FileOf>
bool are_there(const std::vector<Line>& lines, std::size_t from, const FileOf& file_of) {
  return from < lines.size() &&
         std::all_of(lines.begin() + static_cast<std::ptrdiff_t>(from), lines.end(),
                     [&](const Line& line) { return is_there(file_of(line.text)); });
}

/// Takes lists of other columns, where all files exist: commas, names first, a header, quotes.
class OtherColumns {
 public:
  OtherColumns(const std::vector<Line>& lines, std::string label)
      : lines_(lines), label_(std::move(label)) {}

  bool read(InputList& list) {
    for (const char separator : {'\t', ',', ';', ' '})
      if (read_separated_by(separator, list)) return true;
    return false;
  }

 private:
  bool read_separated_by(char separator, InputList& list) {
    fields_.assign(lines_.size(), {});
    std::size_t columns = ~std::size_t{0};
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      fields_[i].split(lines_[i].text, separator);
      columns = std::min(columns, fields_[i].size());
    }
    if (separator != '\t' && columns < 2) return false;
    for (std::size_t c = 0; c < columns; ++c) {
      const bool header = lines_.size() > 1 && !is_there(fields_[0][c]);
      const std::size_t from = header ? 1 : 0;
      if (!holds_files(c, from)) continue;
      refuse_second_file(c, from, columns);
      take(c, from, columns, list);
      return true;
    }
    return false;
  }
  bool holds_files(std::size_t column, std::size_t from) const {
    for (std::size_t i = from; i < fields_.size(); ++i)
      if (!is_there(fields_[i][column])) return false;
    return true;
  }
  void refuse_second_file(std::size_t column, std::size_t from, std::size_t columns) const {
    for (std::size_t c = column + 1; c < columns; ++c) {
      if (!holds_files(c, from)) continue;
      throw input_error(label_, 0, {}, lines_[from].number,
                        "columns " + std::to_string(column + 1) + " and " + std::to_string(c + 1) +
                            " name files; give each file a line of its own");
    }
  }
  void take(std::size_t column, std::size_t from, std::size_t columns, InputList& list) const {
    std::size_t name = columns;
    for (std::size_t c = columns; c-- > 0;) {
      const bool filled = std::all_of(fields_.begin() + static_cast<std::ptrdiff_t>(from),
                                      fields_.end(), [c](const auto& f) { return !f[c].empty(); });
      if (c != column && filled) name = c;
    }
    if (from == 1) {
      for (std::size_t c = columns; c-- > 0;)
        if (c != column && heading_of(fields_[0][c]) == Heading::name) name = c;
    }
    for (std::size_t i = from; i < fields_.size(); ++i) {
      list.files.emplace_back(fields_[i][column]);
      list.names.emplace_back(name == columns ? std::string_view() : fields_[i][name]);
    }
    log().info("{}: column {} names the files{}{}", label_, column + 1,
               name == columns ? "" : ", column " + std::to_string(name + 1) + " what to keep",
               from == 1 ? "; the first line is taken for a header" : "");
  }

  const std::vector<Line>& lines_;
  std::string label_;
  std::vector<ListFields> fields_;
};

}  // namespace

InputList read_input_list(const std::string& path) {
  LineReader reader(path);
  const std::vector<Line> lines = lines_of(reader);
  InputList list;
  if (lines.empty()) {
    throw input_error(reader.label(), 0, {}, 0,
                      "it names no file; a list of files has the path of one per line");
  }
  const auto before_tab = [](std::string_view line) { return line.substr(0, line.find('\t')); };
  const bool declared = are_there(lines, 0, before_tab);
  if (!declared && OtherColumns(lines, reader.label()).read(list)) return list;
  std::uint64_t further = 0;
  for (const Line& line : lines) {
    const std::string_view text = line.text, file_path = before_tab(text);
    std::string_view name = text.substr(file_path.size());
    if (file_path.empty() || name.size() == 1) {
      throw input_error(reader.label(), 0, {}, line.number,
                        "it has to be the path of a file, or a path, a tab and a name");
    }
    if (!name.empty()) name.remove_prefix(1);
    further += name.find('\t') != std::string_view::npos ? 1 : 0;
    list.files.emplace_back(file_path);
    list.names.emplace_back(before_tab(name));
  }
  if (further != 0) log().info("{}: columns behind the second one are passed over", reader.label());
  return list;
}

void append_input_list(const std::string& path, std::vector<std::string>& files,
                       std::vector<std::string>& names) {
  if (path.empty()) return;
  if (path == "-" && std::ranges::count(files, "-") != 0) fail_on_standard_input();
  const InputList list = read_input_list(path);
  if (path == "-" && std::ranges::count(list.files, "-") != 0) fail_on_standard_input();
  names.resize(files.size());
  files.insert(files.end(), list.files.begin(), list.files.end());
  names.insert(names.end(), list.names.begin(), list.names.end());
}

}  // namespace gsx::app
