// How a sequence file begins: its comments, and which format it has.
#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include "base/log.hpp"
#include "bytes/line_ends.hpp"
#include "bytes/line_text.hpp"
#include "records/known_files.hpp"
#include "records/lists/list_columns.hpp"
#include "records/sequence_file.hpp"

namespace gsx {
namespace {

/// What may stand before the first byte that tells the format.
constexpr std::string_view white_space = " \t\r\n";

/// The text from its first byte on that is no blank.
std::string_view from_mark(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(white_space), text.size()));
}

bool begins_record(std::string_view text) {
  return text.starts_with('>') || text.starts_with('@');
}

}  // namespace

/// Skips blank lines, and comments, up to the first byte that tells the format.
void SequenceFile::find_format(const Decoding& decoding) {
  const ListForm lists = decoding.lists;
  if (lists != ListForm::none) begin_list(lists);
  // In a list, a line that begins with ';' may be the row of a table: find_list() tells.
  ended_ = !skip_comments(lists == ListForm::none ? "#;" : "#");
  if (ended_ || (lists != ListForm::none && find_list(lists))) return;
  ends_by_cr_ = false;
  skip(source_.peek().substr(0, source_.peek().find_first_not_of(white_space)));
  const std::string_view text = source_.peek();
  const char* const packing = source_.packing();
  if (!begins_record(text) || !refusal_of(text, packing).empty())
    fail_to_begin(describe_start(text, packing, comments_ != 0));
  if (comments_ != 0 && decoding.warns) {
    log().info("{}: {} line{} of comments before the first record passed over", label(), comments_,
               comments_ == 1 ? "" : "s");
  }
  format_ = text.front() == '>' ? SequenceFormat::fasta : SequenceFormat::fastq;
}

void SequenceFile::fail_to_begin(const std::string& what) const {
  throw input_error(label(), 0, {}, first_line_, with_file_named(what, path_));
}

void SequenceFile::skip(std::string_view text) {
  first_line_ += static_cast<std::uint64_t>(std::ranges::count(text, line_end()));
  begin_ += text.size();
  source_.skip(text.size());
}

/// Skips any amount of blank lines and of comments, which begin with one of `marks`, behind blanks
/// or not. Keeps the last comment. False if nothing follows.
bool SequenceFile::skip_comments(std::string_view marks) {
  const auto never = [](std::string_view) { return false; };
  bool whole = false;
  for (std::size_t least = 1;;) {
    const std::string_view text =
        least == 1 ? source_.peek() : source_.peek_start(least, never, whole);
    if (text.empty()) return false;
    const std::size_t mark = text.find_first_not_of(white_space);
    // The blanks in the first line of a list tell its columns.
    const std::size_t line = text.substr(0, mark).rfind(line_end()) + 1;
    if (mark != text.npos) {
      const bool is_other = marks.find(text[mark]) == marks.npos;
      skip(text.substr(0, is_other ? line : mark));
      if (is_other) return true;
      skip_comment();
      least = 1;
    } else {
      const std::size_t rest = text.size() - line;
      const bool ends = text.size() < least || rest > ListColumns::start_bytes;
      skip(text.substr(0, ends ? text.size() : line));
      least = ends ? 1 : rest + 1;
    }
  }
}

/// Skips the comment that comes next, and keeps its beginning.
void SequenceFile::skip_comment() {
  const std::string refusal = refusal_of(source_.peek(), source_.packing());
  if (!refusal.empty()) fail_to_begin(refusal);
  ++comments_;
  comment_.clear();
  for (std::string_view text; !(text = source_.peek()).empty();) {
    const std::size_t end = text.find(line_end());
    if (comment_.size() < ListColumns::start_bytes) comment_ += text.substr(0, end);
    skip(text.substr(0, end == text.npos ? end : end + 1));
    if (end != text.npos) return;
  }
}

std::string_view SequenceFile::peek_list(ListForm form, bool& whole) {
  const auto tells = [form](std::string_view text) { return tells_list_columns(text, form); };
  return source_.peek_start(ListColumns::start_bytes, tells, whole);
}

/// Takes a byte-order mark off what may be a list, and finds how its lines end.
void SequenceFile::begin_list(ListForm form) {
  if (begins_record(from_mark(source_.peek()))) return;
  bool whole = false;
  std::string_view start = peek_list(form, whole);
  if (start.starts_with(byte_order_mark)) {
    skip(byte_order_mark);
    start.remove_prefix(byte_order_mark.size());
  }
  ends_by_cr_ = ends_lines_by_cr(start, whole);
}

/// Finds the columns of a list. False if there are records: then it skips lines before them that
/// begin with ';'. Pre: the next line is neither blank nor begins with '#'.
bool SequenceFile::find_list(ListForm form) {
  const std::string_view text = from_mark(source_.peek());
  if (begins_record(text)) return false;
  const bool semicolon = text.starts_with(';');
  bool whole = false;
  std::string start(peek_list(form, whole));
  const std::string refusal = refusal_of(start, source_.packing());
  if (!refusal.empty()) fail_to_begin(refusal);
  if (ends_by_cr_) end_lines_by_lf(start);
  if (semicolon && begins_with_comments(start, whole)) {
    if (skip_comments("#;") && begins_record(from_mark(source_.peek()))) return false;
    fail_to_begin(
        "neither FASTA nor FASTQ follows many lines that begin with ';'; in a list, comments begin "
        "with '#'");
  }
  // A comment right before the first line may name the columns.
  if (comment_.size() < ListColumns::start_bytes) start.insert(0, comment_ + '\n');
  columns_ = std::make_shared<ListColumns>(find_list_columns(start, whole, form));
  ended_ = columns_->empty && whole;
  if (ended_) return true;
  format_ = form == ListForm::counted ? SequenceFormat::list : SequenceFormat::named_list;
  return true;
}

}  // namespace gsx
