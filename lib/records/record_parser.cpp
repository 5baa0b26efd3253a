#include "records/record_parser.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "base/byte_text.hpp"
#include "bytes/line_text.hpp"
#include "records/fasta_parser.hpp"
#include "records/fastq_parser.hpp"
#include "records/symbol_scan.hpp"

namespace gsx {
namespace {

constexpr const char* stray_cr =
    "a carriage return inside a line; convert the line ends to LF or CRLF";

/// Says why `byte` must not be in a line of symbols or quality values.
std::string describe_byte(char byte, bool sequence) {
  const std::string line = sequence ? "a sequence line" : "a quality line";
  if (byte == '>') return "'>' inside " + line + "; is a line end missing before it?";
  if (byte == '\r') return stray_cr;
  char hex[8];
  std::snprintf(hex, sizeof hex, "0x%02X", static_cast<unsigned char>(byte));
  return "control byte " + std::string(hex) + " inside " + line +
         "; the file is damaged or not text";
}

bool may_be_inside(char c, bool sequence) {
  const std::string_view one(&c, 1);
  return sequence ? all_symbols(one) : all_qualities(one);
}

}  // namespace

void RecordParser::fail_on_header(std::uint64_t most) {
  throw ShortMemoryError("too little memory for a header line of more than " + bytes_text(most) +
                         "; shorten it, or allow more memory");
}

RecordParser::Piece RecordParser::peek_line(std::string_view block) const {
  if (after_cr_ && block.front() != '\n') throw ParseError(stray_cr);
  Piece piece;
  const void* newline = std::memchr(block.data(), '\n', block.size());
  piece.ends_line = newline != nullptr;
  std::size_t length = block.size();
  if (piece.ends_line) {
    length = static_cast<std::size_t>(static_cast<const char*>(newline) - block.data());
  }
  piece.taken = length + (piece.ends_line ? 1 : 0);
  if (length != 0 && block[length - 1] == '\r') {
    --length;
    piece.cut_at_cr = !piece.ends_line;
  }
  piece.text = block.substr(0, length);
  return piece;
}

void RecordParser::take(const Piece& piece, std::string_view& block) {
  block.remove_prefix(piece.taken);
  at_line_start_ = piece.ends_line;
  after_cr_ = piece.cut_at_cr;
  line_ += piece.ends_line ? 1 : 0;
}

RecordParser::Piece RecordParser::peek_text(std::string_view block) const {
  const Piece piece = peek_line(block);
  if (!is_header(piece.text)) {
    const bool cr_first = piece.text.find('\r') < piece.text.find('\0');
    throw ParseError(cr_first ? stray_cr
                              : "a NUL byte inside a header line; the file is damaged or not text");
  }
  return piece;
}

bool RecordParser::take_header(std::string_view& block) {
  const Piece piece = peek_text(block);
  if (header_.size() + piece.text.size() > most_header_) {
    if (short_headers_)
      throw ParseError("the header has more than " + std::to_string(most_header_) + " bytes");
    fail_on_header(most_header_);
  }
  header_.append(piece.text);
  if (piece.ends_line) check_header();
  take(piece, block);
  return piece.ends_line;
}

void RecordParser::check_header() const {
  if (!whole_headers_ || without_blanks(header_).find('\t') == std::string_view::npos) return;
  throw ParseError(
      "a tab in the header, which cannot be part of a name: replace it, or leave out "
      "--whole-header");
}

std::size_t RecordParser::name_length(std::string_view header) const {
  if (whole_headers_) return without_blanks(header).size();
  return std::min(header.find_first_of(blanks), header.size());
}

std::string_view RecordParser::name() const {
  if (!has_open_record()) return "";
  std::string_view header = header_;
  header.remove_prefix(std::min(header.find_first_not_of(blanks), header.size()));
  return header.substr(0, name_length(header));
}

void RecordParser::begin_record(std::string_view header, RecordBatch& batch) {
  header.remove_prefix(std::min(header.find_first_not_of(blanks), header.size()));
  const std::string_view name = header.substr(0, name_length(header));
  batch.begin_record(name, whole_headers_ ? "" : comment_in(header.substr(name.size())));
  record_symbols_ = 0;
}

void RecordParser::take_symbols(std::string_view& block, RecordBatch& batch) {
  const Piece piece = peek_line(block);
  batch.lines.begin_line(batch.symbol_count(), line_);
  if (all_symbols(piece.text)) {
    if (!piece.text.empty()) batch.append(piece.text);
    record_symbols_ += piece.text.size();
  } else {
    std::string_view rest = piece.text;
    for (auto run = next_run(rest, true); !run.empty(); run = next_run(rest, true)) {
      batch.append(run);
      record_symbols_ += run.size();
    }
  }
  take(piece, block);
}

std::string_view RecordParser::next_run(std::string_view& text, bool sequence) const {
  text = without_leading_blanks(text);
  std::size_t length = 0;
  while (length < text.size() && may_be_inside(text[length], sequence))
    ++length;
  // Take what comes before a wrong byte first, as if a block ended there.
  if (length == 0 && !text.empty()) {
    throw ParseError(describe_byte(text[length], sequence));
  }
  const std::string_view run = text.substr(0, length);
  text.remove_prefix(length);
  return run;
}

std::unique_ptr<RecordParser> make_parser(SequenceFormat format, BlockStart start,
                                          std::uint64_t line, CpuPath path) {
  if (format == SequenceFormat::fasta) return std::make_unique<FastaParser>(start, line);
  return std::make_unique<FastqParser>(start, line, path);
}

}  // namespace gsx
