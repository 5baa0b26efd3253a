#include "records/fastq_parser.hpp"

#include <algorithm>

#include "bytes/line_text.hpp"
#include "records/four_lines.hpp"
#include "records/symbol_scan.hpp"

namespace gsx {

void FastqParser::parse(std::string_view block, RecordBatch& batch) {
  while (!block.empty()) {
    switch (part_) {
      case Part::mark:
        if (!find_mark(block, batch)) break;
        if (take_records(block, batch)) break;
        ++record_;
        batch.bytes.begin_record(block.data());
        block.remove_prefix(1);
        header_.clear();
        part_ = Part::header;
        break;
      case Part::header:
        if (!take_header(block)) break;
        begin_record(header_, batch);
        sequence_lines_ = symbols_of_lines_ = 0;
        part_ = Part::sequence;
        break;
      case Part::sequence:
        take_sequence(block, batch);
        break;
      case Part::plus:
        take_plus(block);
        break;
      case Part::quality:
        take_quality(block, batch);
        break;
    }
  }
}

bool FastqParser::find_mark(std::string_view& block, RecordBatch& batch) {
  while (!block.empty()) {
    const char c = block.front();
    if (c == '@') return true;
    if (c == '\n') {
      ++line_;
    } else if (c != '\r' && c != ' ' && c != '\t') {
      ++record_;
      batch.bytes.begin_record(block.data());  // these bytes are not those of the last record
      throw ParseError(
          c == '>' ? "a FASTA record in a FASTQ file; give each format its own file"
                   : "a FASTQ record must begin with '@'; the file is damaged or not FASTQ");
    }
    block.remove_prefix(1);
  }
  return false;
}

bool FastqParser::take_records(std::string_view& block, RecordBatch& batch) {
  if (whole_headers_) return false;
  const std::uint64_t taken = take_four_line_records(block, line_, batch, path_);
  record_ += taken;
  line_ += 4 * taken;
  return taken != 0;
}

void FastqParser::take_sequence(std::string_view& block, RecordBatch& batch) {
  if (at_line_start_ && block.front() == '+') {
    part_ = Part::plus;
    return;
  }
  if (at_line_start_ && block.front() == '@') {
    throw ParseError(
        "a line that begins with '@' where the '+' line of the record before it should be; the "
        "file is damaged");
  }
  take_symbols(block, batch);
  if (at_line_start_ && record_symbols_ != symbols_of_lines_) {
    ++sequence_lines_;
    symbols_of_lines_ = record_symbols_;
  }
}

void FastqParser::take_plus(std::string_view& block) {
  if (at_line_start_) plus_.clear();
  const Piece piece = peek_text(block);
  const std::size_t enough = header_.size() + 2;  // with the mark, and one byte more
  const std::string_view kept = piece.text.substr(0, enough - std::min(enough, plus_.size()));
  plus_ += kept;
  const bool has_more = !without_blanks(piece.text.substr(kept.size())).empty();
  if (has_more && plus_.size() == enough) plus_ += '+';  // anything that makes it differ
  take(piece, block);
  if (!piece.ends_line) return;
  end_plus();
  qualities_ = quality_lines_ = 0;
  marked_ = {};
  part_ = record_symbols_ == 0 ? Part::mark : Part::quality;
}

void FastqParser::end_plus() {
  const std::string_view repeated = without_blanks(std::string_view(plus_).substr(1));
  const std::string_view header = without_blanks(header_);
  const std::string_view word = header.substr(0, header.find_first_of(" \t"));
  if (repeated.empty() || repeated == header || repeated == word) return;
  if (unlike_headers_++ == 0) first_unlike_ = record_;
}

void FastqParser::take_quality(std::string_view& block, RecordBatch& batch) {
  const Piece piece = peek_line(block);
  if (at_line_start_) begin_quality_line(piece.text);
  if (!after_blank_ && all_qualities(piece.text)) {
    add_qualities(piece.text, batch);
  } else {
    for (std::string_view rest = piece.text; !rest.empty();) {
      after_blank_ = after_blank_ || is_blank(rest.front());
      const std::string_view run = next_run(rest, false);
      if (after_blank_ && !run.empty()) {
        fail_if_cut_short();
        throw ParseError("a blank inside a quality line; the file is damaged");
      }
      add_qualities(run, batch);
    }
  }
  take(piece, block);
  if (!piece.ends_line) return;
  ++marked_.lines;
  if (qualities_ == record_symbols_) part_ = Part::mark;
}

void FastqParser::begin_quality_line(std::string_view text) {
  after_blank_ = false;
  if (text.empty()) return;
  if (text.front() == '@' && qualities_ != 0 && qualities_ < record_symbols_ && marked_.before == 0)
    marked_ = {.before = qualities_, .lines = 0, .second = quality_lines_ == 1};
  ++quality_lines_;
}

void FastqParser::add_qualities(std::string_view run, RecordBatch& batch) {
  qualities_ += run.size();
  if (qualities_ > record_symbols_) fail_on_quality_length();
  if (batch.keeps_qualities) batch.qualities.append(run);
}

void FastqParser::fail_on_quality_length() {
  fail_if_cut_short();
  throw ParseError("more than " + std::to_string(record_symbols_) + " quality values for " +
                   std::to_string(record_symbols_) + " symbols; the file is damaged");
}

/// Throws ParseError for the line before the first that begins with '@', if too few qualities there
/// explain what is wrong here.
void FastqParser::fail_if_cut_short() {
  if (marked_.before == 0) return;
  const bool has_four_lines = sequence_lines_ == 1 && marked_.second;
  if (marked_.lines > 1 && !has_four_lines) return;
  line_ -= marked_.lines + 1;
  fail_on_few(marked_.before);
}

void FastqParser::fail_on_few(std::uint64_t qualities) const {
  throw ParseError(std::to_string(qualities) + " quality values for " +
                   std::to_string(record_symbols_) + " symbols; the file is damaged");
}

void FastqParser::finish(RecordBatch&) {
  const bool all_there = part_ == Part::quality && qualities_ == record_symbols_;
  const bool empty_record = part_ == Part::plus && record_symbols_ == 0;
  if (empty_record) end_plus();
  if (part_ == Part::mark || all_there || empty_record) return;
  if (part_ == Part::quality) fail_if_cut_short();
  const bool has_four_lines = sequence_lines_ == 1 && quality_lines_ == 1 && at_line_start_;
  if (part_ == Part::quality && has_four_lines) {
    line_ -= marked_.lines;
    fail_on_few(qualities_);
  }
  throw ParseError("the file ends inside this record: it is truncated; fetch it again");
}

}  // namespace gsx
