#include "records/fasta_parser.hpp"

#include <algorithm>

#include "records/symbol_scan.hpp"

namespace gsx {
namespace {

/// Lines per step: few, so that the space reserved for them costs little where lines differ.
constexpr std::size_t equal_lines_a_step = 16;

}  // namespace

void FastaParser::parse(std::string_view block, RecordBatch& batch) {
  while (!block.empty()) {
    if (in_header_) {
      if (!take_header(block)) continue;
      in_header_ = false;
      begin_record(header_, batch);
    } else if (at_line_start_ && block.front() == '>') {
      batch.bytes.begin_record(block.data());
      block.remove_prefix(1);
      header_.clear();
      in_header_ = true;
      ++record_;
    } else {
      if (at_line_start_ && is_refused(block))
        throw ParseError("a FASTQ record in a FASTA file; give each format its own file");
      if (at_line_start_) note_shape(block);
      take_symbols(block, batch);
      while (at_line_start_ && take_equal_lines(block, batch)) {
      }
    }
  }
}

void FastaParser::note_shape(std::string_view block) {
  const Piece piece = peek_line(block);
  shape_ = {piece.text.size(), piece.ends_line ? piece.taken - piece.text.size() : 0};
}

bool FastaParser::take_equal_lines(std::string_view& block, RecordBatch& batch) {
  const std::size_t width = shape_.symbols + shape_.end;
  if (shape_.end == 0 || shape_.symbols < sizeof(ByteLanes)) return false;
  if (block.starts_with('>')) return false;
  const std::size_t most = std::min(equal_lines_a_step, block.size() / width);
  std::size_t lines = 0;
  const std::uint64_t before = batch.symbol_count();
  batch.append_written(most * shape_.symbols, [&](char* to) {
    for (; lines != most; ++lines, to += shape_.symbols) {
      const std::string_view line = block.substr(lines * width, width);
      const bool same_end = line[width - 1] == '\n' && (shape_.end == 1 || line[width - 2] == '\r');
      if (!same_end || is_refused(line) || !copy_symbols(line.substr(0, shape_.symbols), to)) break;
    }
    return lines * shape_.symbols;
  });
  batch.lines.begin_lines(before, line_, shape_.symbols, lines);
  record_symbols_ += lines * shape_.symbols;
  line_ += lines;
  block.remove_prefix(lines * width);
  return lines == equal_lines_a_step;
}

void FastaParser::finish(RecordBatch& batch) {
  if (!in_header_) return;
  check_header();
  begin_record(header_, batch);
}

bool FastaParser::is_at(BlockStart start) const {
  if (in_header_ || after_cr_) return false;
  return start == BlockStart::inside ? !at_line_start_
                                     : at_line_start_ && start != BlockStart::unknown;
}

}  // namespace gsx
