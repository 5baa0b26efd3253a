#include "records/lists/line_reader.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "bytes/line_ends.hpp"
#include "bytes/line_text.hpp"
#include "records/lists/list_columns.hpp"
#include "records/lists/listed_rows.hpp"
#include "records/sequence_file.hpp"

namespace gsx {
namespace {

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

/// Takes a byte-order mark off the file, and finds how its lines end. Returns its first lines.
std::string_view LineReader::begin() {
  if (number_ != 0) return {};
  try {
    const auto has_line = [](std::string_view text) { return text.find('\n') != text.npos; };
    std::string_view start = source_.peek_start(ListColumns::start_bytes, has_line, whole_);
    if (start.starts_with(byte_order_mark)) {
      source_.skip(byte_order_mark.size());
      start.remove_prefix(byte_order_mark.size());
    }
    if (ends_lines_by_cr(start, whole_)) line_end_ = '\r';
    return start;
  } catch (const SourceError& error) {
    throw input_error(label_, 0, {}, 0, "cannot read it: " + std::string(error.what()));
  }
}

char LineReader::separator() {
  std::string start(begin());
  if (line_end_ == '\r') end_lines_by_lf(start);
  const StartLines lines(start, whole_);
  return lines.separator != 0 ? lines.separator : separator_of(lines.lines);
}

bool LineReader::next() {
  begin();
  line_.clear();
  ++number_;
  for (bool any = false;; any = true) {
    const std::string_view ahead = peek();
    if (ahead.empty() && !any) return false;
    const std::size_t end = ahead.find(line_end_);
    line_ += ahead.substr(0, end);
    if (line_.size() > longest_line)
      fail("the line is too long: more than " + std::to_string(longest_line) + " bytes");
    if (!ahead.empty()) source_.skip(std::min(end, ahead.size() - 1) + 1);
    if (end == std::string_view::npos && !ahead.empty()) continue;
    break;
  }
  if (line_.ends_with('\r')) line_.pop_back();
  if (number_ == 1 && (line_.starts_with("\xFF\xFE") || line_.starts_with("\xFE\xFF")))
    fail("it is text in UTF-16: save it as plain text");
  if (line_.find('\0') != std::string::npos)
    fail("it holds a NUL byte: the file is damaged or not text");
  return true;
}

bool LineReader::next_entry() {
  while (next())
    if (!is_comment(line_) && !is_empty_row(line_) && !(number_ == 1 && is_separator_line(line_)))
      return true;
  return false;
}

void LineReader::fail(const std::string& what) const {
  throw input_error(label_, 0, {}, number_, what);
}

}  // namespace gsx
