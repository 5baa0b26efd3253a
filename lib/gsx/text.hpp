// Sequences in, a text out: what suffix arrays and indexes are built of.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/export.hpp"
#include "text/read_text.hpp"

namespace gsx {

/// A sequence in the caller's memory.
struct Sequence {
  std::string_view name;          ///< without blanks, unless options.whole_header is given
  std::string_view symbols;       ///< no blanks or line ends
  std::string_view comment = {};  ///< the rest of its header
};

/// The text of sequences in memory, in order. Unless options.text.alphabet is given, it is DNA or
/// protein, judged by the first sequences. Throws InputError for a symbol outside the alphabet
/// or that no FASTA line can hold, for a name that could not stand in a FASTA header, and when no
/// symbol can be indexed; UsageError for an alphabet that does not exist; ResourceError. Cost: one
/// pass; memory for the text, and for options.block_bytes symbols meanwhile.
GSX_API Text make_text(std::span<const Sequence> sequences, const ReadTextOptions& options = {});

/// The text of files, as make_text() makes it of sequences: of FASTA or FASTQ, plain or compressed
/// by gzip, BGZF, bzip2, xz or zstd; of 2bit; and of the reads of SAM, BAM and CRAM. "-" is
/// standard input.
inline Text read_text(const std::vector<std::string>& files) {
  return read_text(files, {}, {});
}

}  // namespace gsx
