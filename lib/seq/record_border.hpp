// Where a record or a line begins in the middle of a file, as far as can be told from there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gsx {

enum class SequenceFormat : std::uint8_t { fasta, fastq };

/// What a piece of a file begins with: facts for FASTA, guesses for FASTQ, which the parse of what
/// is before must bear out.
enum class BlockStart : std::uint8_t {
  file,     ///< the first record's mark
  record,   ///< a record's mark
  line,     ///< a line of a FASTA file, a header or not
  inside,   ///< somewhere in a sequence line of a FASTA file
  unknown,  ///< nobody knows
};

inline constexpr std::size_t no_border = ~std::size_t{0};

/// Offset of the first record in `text`, a part of a file whose lines need not begin with it
/// (`at_line_start` tells), or no_border when none is certain to begin there as far as the text
/// goes. More text behind it never changes an offset that was found.
///
/// FASTA: a '>' that begins a line. FASTQ: an '@' line, one that may be a sequence, and one that
/// begins with '+'; where sequences take one line, a quality line that begins with '@' cannot be
/// taken for that, because what follows it is a header. Cost: about four lines, else the text.
std::size_t find_record(std::string_view text, SequenceFormat format, bool at_line_start);

/// Offset of the first line that begins in `text`, or no_border.
std::size_t find_line(std::string_view text, bool at_line_start);

}  // namespace gsx
