// Sequence files in, a Text out: reading and packing at the same time.
#pragma once

#include <string>
#include <vector>

#include "base/export.hpp"
#include "base/progress.hpp"
#include "text/text.hpp"
#include "text/text_options.hpp"

namespace gsx {

/// The records of all files as one text. Throws what SequenceReader and TextBuilder throw.
/// ResourceError when the memory limit does not hold the text; then the process has held no more
/// than that and what the threads' batches take, which are smaller where the limit is low. Cost:
/// one pass, about 0.6 ns a symbol of long plain lines, shared by the threads; compressed input is
/// bound by what inflates it. Memory beside the text for `threads` blocks and batches.
GSX_API Text read_text(const std::vector<std::string>& paths, const ReadTextOptions& options,
                       const ProgressReport& progress);

}  // namespace gsx
