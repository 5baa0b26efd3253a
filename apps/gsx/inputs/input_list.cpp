#include "inputs/input_list.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/messages.hpp"
#include "records/lists/line_reader.hpp"
#include "records/lists/list_columns.hpp"
#include "records/lists/list_words.hpp"
#include "records/lists/listed_rows.hpp"
#include "records/sequence_file.hpp"

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

/// Why no file of this name can be read, as far as one can tell without opening it; empty if one
/// may be there. A folder is no file.
std::string why_missing(std::string_view file) {
  if (file == "-") return {};
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (std::filesystem::is_directory(status)) return "it is a folder";
  if (std::filesystem::exists(status)) return {};
  if (file.find("://") != file.npos) return "gsx does not read URLs: download it";
  return error ? error.message() : "there is no such file";
}

bool is_there(std::string_view file) {
  return !file.empty() && why_missing(file).empty();
}

std::string_view before_tab(std::string_view line) {
  return line.substr(0, line.find('\t'));
}

[[noreturn]] void fail_on_missing(const std::string& label, const Line& line,
                                  std::string_view file) {
  throw input_error(label, 0, {}, line.number,
                    "cannot read '" + printable(file) + "': " + why_missing(file));
}

/// Refuses a line in which two columns name files: gsx would ignore one of them.
[[noreturn]] void fail_on_two_files(const std::string& label, const Line& line, std::size_t one,
                                    std::size_t other) {
  throw input_error(label, 0, {}, line.number,
                    "columns " + std::to_string(std::min(one, other) + 1) + " and " +
                        std::to_string(std::max(one, other) + 1) +
                        " name files; give each file a line of its own");
}

/// Takes lists of other columns, where all files exist: commas, names first, a header, quotes.
class OtherColumns {
 public:
  OtherColumns(const std::vector<Line>& lines, std::string label)
      : lines_(lines), label_(std::move(label)) {}

  /// False if no column has files in all lines. Throws InputError, for the first file that does not
  /// exist, if a header tells the column with the files.
  bool read(InputList& list) {
    std::vector<std::string_view> texts;
    for (const Line& line : lines_)
      texts.emplace_back(line.text);
    for (const char separator : separators_of(texts))
      if (read_separated_by(separator, list)) return true;
    if (missing_) fail_on_missing(label_, lines_[missing_->first], missing_->second);
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
      const std::string_view first = fields_[0][c];
      const bool header =
          lines_.size() > 1 && (is_file_heading(first) || is_mate_heading(c)) && !is_there(first);
      const std::size_t from = header ? 1 : 0, missing = first_missing(c, from);
      if (missing == lines_.size()) {
        refuse_second_file(c, from, columns);
        take(c, from, columns, list);
        return true;
      }
      if (header && (!missing_ || missing_->first < missing))
        missing_.emplace(missing, fields_[missing][c]);
    }
    return false;
  }
  /// The column that the first line heads as the mates of this one: fastq_1 and fastq_2; none if
  /// there is no such one.
  std::size_t mate_column(std::size_t column) const {
    const std::string_view heading = fields_[0][column];
    if (heading.size() < 2) return ListColumns::none;
    const std::string_view stem = heading.substr(0, heading.size() - 1);
    const char mate = heading.back() == '1' ? '2' : heading.back() == '2' ? '1' : '\0';
    std::string_view word = stem;
    if (word.ends_with('_')) word.remove_suffix(1);
    if (mate == '\0' || !(is_file_heading(word) || word == "read")) return ListColumns::none;
    for (std::size_t c = 0; c < fields_[0].size(); ++c)
      if (fields_[0][c] == std::string(stem) + mate) return c;
    return ListColumns::none;
  }
  bool is_mate_heading(std::size_t column) const {
    return mate_column(column) != ListColumns::none;
  }
  /// The first line from `from` on whose field of the column is no file; their number if all are.
  std::size_t first_missing(std::size_t column, std::size_t from) const {
    std::size_t i = from;
    while (i < fields_.size() && is_there(fields_[i][column]))
      ++i;
    return i;
  }
  void refuse_second_file(std::size_t column, std::size_t from, std::size_t columns) const {
    const auto refuse = [&](std::size_t other, std::size_t line) {
      fail_on_two_files(label_, lines_[line], column, other);
    };
    for (std::size_t c = column + 1; c < columns; ++c)
      if (first_missing(c, from) == lines_.size()) refuse(c, from);
    // Not all samples need mates.
    const std::size_t mates = from == 1 ? mate_column(column) : ListColumns::none;
    for (std::size_t i = from; i < lines_.size() && mates != ListColumns::none; ++i)
      if (!fields_[i][mates].empty()) refuse(mates, i);
  }
  void take(std::size_t column, std::size_t from, std::size_t columns, InputList& list) const {
    std::size_t name = columns;
    for (std::size_t c = columns; c-- > 0;) {
      const bool filled = std::all_of(fields_.begin() + static_cast<std::ptrdiff_t>(from),
                                      fields_.end(), [c](const auto& f) { return !f[c].empty(); });
      if (c != column && filled) name = c;
    }
    if (from == 1) {
      int best = 0;
      for (std::size_t c = 0; c < columns; ++c) {
        const std::string_view field = fields_[0][c];
        if (c == column || heading_of(field) != Heading::name || heading_rank(field) <= best)
          continue;
        best = heading_rank(field);
        name = c;
      }
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
  /// The first line whose file is missing in a column that a header names, and the file: of
  /// several columns, that in which most files are there before.
  std::optional<std::pair<std::size_t, std::string>> missing_;
};

/// Refuses a list of paths and names if the names of all lines are files, too: gsx would ignore
/// these.
void refuse_files_as_names(const std::string& label, const std::vector<Line>& lines) {
  std::vector<ListFields> fields(lines.size());
  std::size_t columns = ~std::size_t{0};
  for (std::size_t i = 0; i < lines.size(); ++i) {
    fields[i].split(lines[i].text, '\t');
    columns = std::min(columns, fields[i].size());
  }
  for (std::size_t c = 1; c < columns; ++c) {
    const bool are_files = std::ranges::all_of(
        fields, [c](const ListFields& line) { return line[c] != line[0] && is_there(line[c]); });
    if (are_files) fail_on_two_files(label, lines.front(), 0, c);
  }
}

}  // namespace

InputList read_input_list(const std::string& path) {
  LineReader reader(path);
  const std::vector<Line> lines = lines_of(reader);
  InputList list;
  if (lines.empty()) {
    throw input_error(reader.label(), 0, {}, 0,
                      "it names no file; a list of files has the path of one per line");
  }
  const bool declared =
      std::ranges::all_of(lines, [](const Line& line) { return is_there(before_tab(line.text)); });
  if (!declared && OtherColumns(lines, reader.label()).read(list)) return list;
  if (declared) refuse_files_as_names(reader.label(), lines);
  std::uint64_t further = 0;
  for (const Line& line : lines) {
    const std::string_view text = line.text, file_path = before_tab(text);
    std::string_view name = text.substr(file_path.size());
    if (file_path.empty() || name.size() == 1) {
      throw input_error(reader.label(), 0, {}, line.number,
                        "it has to be the path of a file, or a path, a tab and a name");
    }
    if (!is_there(file_path)) fail_on_missing(reader.label(), line, file_path);
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
