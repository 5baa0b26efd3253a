#include "seq/fastq_parser.hpp"

#include "seq/four_lines.hpp"
#include "seq/symbol_scan.hpp"

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
  const Piece piece = peek_text(block);
  take(piece, block);
  if (!piece.ends_line) return;
  qualities_ = 0;
  part_ = record_symbols_ == 0 ? Part::mark : Part::quality;
}

void FastqParser::take_quality(std::string_view& block, RecordBatch& batch) {
  const Piece piece = peek_line(block);
  if (all_qualities(piece.text)) {
    add_qualities(piece.text, batch);
  } else {
    std::string_view rest = piece.text;
    for (auto run = next_run(rest, false); !run.empty(); run = next_run(rest, false))
      add_qualities(run, batch);
  }
  const bool ended_short = piece.ends_line && qualities_ < record_symbols_ && qualities_ != 0;
  if (ended_short && sequence_lines_ == 1) fail_on_quality_length();
  take(piece, block);
  if (piece.ends_line && qualities_ == record_symbols_) part_ = Part::mark;
}

void FastqParser::add_qualities(std::string_view run, RecordBatch& batch) {
  qualities_ += run.size();
  if (qualities_ > record_symbols_) fail_on_quality_length();
  if (batch.keeps_qualities) batch.qualities.append(run);
}

void FastqParser::fail_on_quality_length() const {
  const bool more = qualities_ > record_symbols_;
  throw ParseError(
      (more ? "more than " + std::to_string(record_symbols_) : std::to_string(qualities_)) +
      " quality values for " + std::to_string(record_symbols_) + " symbols; the file is damaged");
}

void FastqParser::finish(RecordBatch&) {
  const bool all_there = part_ == Part::quality && qualities_ == record_symbols_;
  const bool empty_record = part_ == Part::plus && record_symbols_ == 0;
  if (part_ == Part::mark || all_there || empty_record) return;
  throw ParseError("the file ends inside this record: it is truncated; fetch it again");
}

}  // namespace gsx
