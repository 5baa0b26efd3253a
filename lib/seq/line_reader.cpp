#include "seq/line_reader.hpp"

#include <algorithm>
#include <vector>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "seq/list_columns.hpp"
#include "seq/sequence_file.hpp"

namespace gsx {
namespace {

constexpr std::string_view blanks = " \t";

std::string label_of(const std::string& path) {
  return path == "-" ? "standard input" : printable(path);
}

ByteSource open(const std::string& path) {
  try {
    return ByteSource(path, 1, {}, {.allow_no_eof = true});
  } catch (const OpenFilesError& error) {
    throw ResourceError(label_of(path) + ": cannot open it: " + error.what());
  } catch (const SourceError& error) {
    throw input_error(label_of(path), 0, {}, 0, "cannot read it: " + std::string(error.what()));
  }
}

}  // namespace

LineReader::LineReader(const std::string& path) : label_(label_of(path)), source_(open(path)) {}

std::string_view LineReader::peek() {
  try {
    return source_.peek();
  } catch (const SourceError& error) {
    if (number_ != 0) fail(error.what());
    throw input_error(label_, 0, {}, 0, "cannot read it: " + std::string(error.what()));
  }
}

char LineReader::separator() {
  std::string_view rest;
  try {
    bool whole = false;
    const auto has_line = [](std::string_view text) { return text.find('\n') != text.npos; };
    rest = source_.peek_start(ListColumns::start_bytes, has_line, whole);
  } catch (const SourceError& error) {
    throw input_error(label_, 0, {}, 0, "cannot read it: " + std::string(error.what()));
  }
  std::vector<std::string_view> lines;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (!line.starts_with('#') && !without_blanks(line).empty()) lines.push_back(line);
  }
  ListFields fields;
  for (const char separator : {'\t', ',', ';', ' '}) {
    const bool all = std::ranges::all_of(lines, [&](std::string_view line) {
      fields.split(line, separator);
      return fields.size() > 1;
    });
    if (all) return separator;
  }
  return '\t';
}

bool LineReader::next() {
  line_.clear();
  ++number_;
  for (bool any = false;; any = true) {
    const std::string_view ahead = peek();
    if (ahead.empty() && !any) return false;
    const std::size_t end = ahead.find('\n');
    line_ += ahead.substr(0, end);
    if (line_.size() > longest_line) fail("the line is too long");
    if (!ahead.empty()) source_.skip(std::min(end, ahead.size() - 1) + 1);
    if (end == std::string_view::npos && !ahead.empty()) continue;
    break;
  }
  if (line_.ends_with('\r')) line_.pop_back();
  if (number_ == 1 && line_.starts_with("\xEF\xBB\xBF")) line_.erase(0, 3);
  if (number_ == 1 && (line_.starts_with("\xFF\xFE") || line_.starts_with("\xFE\xFF")))
    fail("it is text in UTF-16: save it as plain text");
  if (line_.find('\0') != std::string::npos)
    fail("it holds a NUL byte: the file is damaged or not text");
  return true;
}

void LineReader::fail(const std::string& what) const {
  throw input_error(label_, 0, {}, number_, what);
}

std::string_view without_blanks(std::string_view part) {
  const std::size_t begin = part.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return part.substr(begin, part.find_last_not_of(blanks) - begin + 1);
}

}  // namespace gsx
