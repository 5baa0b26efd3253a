#include "records/record_border.hpp"

namespace gsx {
namespace {

/// Offset of the line after the one at `at`; no_border if the text does not reach it.
std::size_t next_line(std::string_view text, std::size_t at) {
  const std::size_t end = text.find('\n', at);
  return end == std::string_view::npos || end + 1 == text.size() ? no_border : end + 1;
}

std::size_t find_fasta_record(std::string_view text, bool at_line_start) {
  for (std::size_t at = text.find('>'); at != std::string_view::npos; at = text.find('>', at + 1)) {
    if (at == 0 ? at_line_start : text[at - 1] == '\n') return at;
  }
  return no_border;
}

bool may_begin_sequence(char c) {
  return c > ' ' && c != '@' && c != '+' && c != '>';
}

std::size_t find_fastq_record(std::string_view text, bool at_line_start) {
  for (std::size_t at = find_line(text, at_line_start); at != no_border; at = next_line(text, at)) {
    if (text[at] != '@') continue;
    const std::size_t sequence = next_line(text, at);
    if (sequence == no_border) return no_border;
    if (!may_begin_sequence(text[sequence])) continue;
    const std::size_t plus = next_line(text, sequence);
    if (plus == no_border) return no_border;
    if (text[plus] == '+') return at;
  }
  return no_border;
}

}  // namespace

std::size_t find_record(std::string_view text, SequenceFormat format, bool at_line_start) {
  if (is_list(format)) return find_line(text, at_line_start);
  return format == SequenceFormat::fasta ? find_fasta_record(text, at_line_start)
                                         : find_fastq_record(text, at_line_start);
}

std::size_t find_line(std::string_view text, bool at_line_start) {
  if (at_line_start && !text.empty()) return 0;
  return next_line(text, 0);
}

}  // namespace gsx
