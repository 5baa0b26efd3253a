#include "seq/list_parser.hpp"

#include <string>
#include <utility>

#include "seq/symbol_scan.hpp"

namespace gsx {
namespace {

std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

}  // namespace

void ListParser::parse(std::string_view block, RecordBatch& batch) {
  while (!block.empty()) {
    if (at_line_start_ && !after_cr_) {
      const Piece piece = peek_line(block);
      if (piece.ends_line) {
        add_line(piece.text, line_, batch);
        take(piece, block);
        continue;
      }
      partial_.clear();
    }
    const Piece piece = peek_text(block);
    if (partial_.size() + piece.text.size() > most_header_) fail_on_header(most_header_);
    partial_ += piece.text;
    if (piece.ends_line) add_line(partial_, line_, batch);
    take(piece, block);
  }
}

void ListParser::finish(RecordBatch& batch) {
  if (!at_line_start_) add_line(partial_, line_, batch);
}

void ListParser::add_line(std::string_view line, std::uint64_t number, RecordBatch& batch) {
  if (line.starts_with('#') || without_blanks(line).empty()) return;
  const std::size_t tab = line.find('\t');
  std::string_view sequence = line, name, rest;
  if (tab != std::string_view::npos && !without_blanks(line.substr(0, tab)).empty()) {
    sequence = line.substr(0, tab);
    rest = line.substr(tab);
    if (named_) {
      name = std::exchange(sequence, rest.substr(1));
      rest = {};
    }
  }
  sequence = without_blanks(sequence);
  ++record_;
  if (sequence.empty() || !all_symbols(sequence) || !is_header(name) || !is_header(rest))
    fail_on_line(sequence, number);
  batch.begin_record(named_ && name.empty() ? sequence : name, rest);
  batch.lines.begin_lines(batch.symbol_count(), number, sequence.size(), 1);
  batch.append(sequence);
}

void ListParser::fail_on_line(std::string_view sequence, std::uint64_t number) {
  line_ = number;
  if (sequence.empty()) throw ParseError("there is no sequence after the tab");
  if (sequence.find_first_of(" \t") != std::string_view::npos) {
    throw ParseError(std::string("a blank inside a sequence; a line is SEQUENCE or ") +
                     (named_ ? "NAME<tab>SEQUENCE" : "SEQUENCE<tab>COUNT"));
  }
  throw ParseError("a byte that is no symbol; a list has a sequence per line, as plain text");
}

}  // namespace gsx
