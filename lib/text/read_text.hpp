// Reads sequence files into a Text; reading and packing overlap.
#pragma once

#include <string>
#include <vector>

#include "base/export.hpp"
#include "base/progress.hpp"
#include "text/text.hpp"
#include "text/text_options.hpp"

namespace gsx {

/// All records of the files as one text: of FASTA or FASTQ, plain or compressed by gzip, BGZF,
/// bzip2, xz or zstd; of 2bit; and of the reads of SAM, BAM and CRAM. "-" is standard input. Throws
/// InputError for a file that is missing or malformed, for a symbol outside the alphabet, and when
/// no symbol can be indexed; UsageError for an alphabet that does not exist; ResourceError if the
/// text does not fit the memory limit; the process has then held no more than the limit and the
/// batches of the threads, which are smaller where the limit is low. Cost: one pass, about 0.6 ns
/// per symbol of long plain lines, shared by the threads; decompression bounds compressed input.
/// Memory: the text, and a block and a batch per thread.
GSX_API Text read_text(const std::vector<std::string>& paths, const ReadTextOptions& options = {},
                       const ProgressReport& progress = {});

}  // namespace gsx
