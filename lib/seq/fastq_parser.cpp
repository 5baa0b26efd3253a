#include "seq/fastq_parser.hpp"

#include <cstring>

#include "seq/symbol_scan.hpp"

namespace gsx {
namespace {

/// Takes a line off the front of `text` and stores it in `line`, without the line end. Returns
/// false if the text does not hold the line's end.
bool take_line(std::string_view& text, std::string_view& line) {
  const void* newline = std::memchr(text.data(), '\n', text.size());
  if (newline == nullptr) return false;
  const auto length = static_cast<std::size_t>(static_cast<const char*>(newline) - text.data());
  const bool cr = length != 0 && text[length - 1] == '\r';
  line = text.substr(0, length - (cr ? 1 : 0));
  text.remove_prefix(length + 1);
  return true;
}

/// Does the same for a line whose length is known, or guessed. If it is guessed, false may mean
/// only that the guess is wrong, and after true the caller must check the bytes for a line end.
bool take_line_of(std::string_view& text, std::size_t length, std::string_view& line) {
  if (text.size() < length + 2) return false;
  const bool cr = text[length] == '\r';
  if (text[length + (cr ? 1 : 0)] != '\n') return false;
  line = text.substr(0, length);
  text.remove_prefix(length + (cr ? 2 : 1));
  return true;
}

}  // namespace

void FastqParser::parse(std::string_view block, RecordBatch& batch) {
  while (!block.empty()) {
    switch (part_) {
      case Part::mark:
        if (!find_mark(block)) break;
        ++record_;
        if (take_whole_record(block, batch)) break;
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

bool FastqParser::find_mark(std::string_view& block) {
  while (!block.empty()) {
    const char c = block.front();
    if (c == '@') return true;
    if (c == '\n') {
      ++line_;
    } else if (c != '\r' && c != ' ' && c != '\t') {
      ++record_;
      throw ParseError(
          c == '>' ? "a FASTA record in a FASTQ file; give each format its own file"
                   : "a FASTQ record must begin with '@'; the file is damaged or not FASTQ");
    }
    block.remove_prefix(1);
  }
  return false;
}

bool FastqParser::take_whole_record(std::string_view& block, RecordBatch& batch) {
  std::string_view rest = block.substr(1);
  std::string_view header;
  std::string_view sequence;
  std::string_view plus;
  std::string_view quality;
  if (!take_line(rest, header) || !take_sequence_line(rest, sequence)) return false;
  if (!rest.starts_with('+') || !take_line(rest, plus)) return false;
  if (!take_line_of(rest, sequence.size(), quality) || !all_qualities(quality)) return false;
  if (!is_header(header) || !is_header(plus)) return false;
  begin_record(header, batch);
  batch.lines.begin_line(batch.symbols.size(), line_ + 1);
  batch.append(sequence);
  if (batch.keeps_qualities) batch.qualities.append(quality);
  line_ += 4;
  block = rest;
  return true;
}

bool FastqParser::take_sequence_line(std::string_view& text, std::string_view& line) {
  std::string_view rest = text;
  // Reads often have the same length: try that before searching for the line end.
  const bool guessed = take_line_of(rest, usual_length_, line) && all_symbols(line);
  if (!guessed) {
    rest = text;
    if (!take_line(rest, line) || !all_symbols(line)) return false;
    usual_length_ = line.size();
  }
  if (line.empty() || line.front() == '+' || line.front() == '@') return false;
  text = rest;
  return true;
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
