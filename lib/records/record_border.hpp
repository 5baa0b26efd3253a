// Finds where a record or a line begins in the middle of a file, as far as one can tell from there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gsx {

enum class SequenceFormat : std::uint8_t {
  fasta,
  fastq,
  list,        ///< a sequence per line; see ListParser
  named_list,  ///< the same, each with its name
};

inline bool is_list(SequenceFormat format) {
  return format == SequenceFormat::list || format == SequenceFormat::named_list;
}

/// What a piece of a file begins with. For FASTA this is a fact; for FASTQ it is a guess, which the
/// parse of the piece before must confirm.
enum class BlockStart : std::uint8_t {
  file,     ///< the mark of the first record
  record,   ///< the mark of a record
  line,     ///< the start of a line of a FASTA file: a header or a sequence line
  inside,   ///< anywhere in a sequence line of a FASTA file
  unknown,  ///< not known
};

inline constexpr std::size_t no_border = ~std::size_t{0};

/// Offset of the first record that begins in `text`; no_border if no start is certain from this
/// text alone. `text` is a part of a file, and `at_line_start` says whether it begins with a line.
/// More text after it never changes an offset that was found.
///
/// FASTA: a '>' that begins a line. FASTQ: an '@' line, a line that may be a sequence, and a line
/// that begins with '+'. In wrapped records, lines of qualities may look so: the parser of the part
/// before must confirm the offset. A list: any line. Cost: about four lines; the whole text if
/// there is no record.
std::size_t find_record(std::string_view text, SequenceFormat format, bool at_line_start);

/// Offset of the first line that begins in `text`; no_border if none does.
std::size_t find_line(std::string_view text, bool at_line_start);

}  // namespace gsx
