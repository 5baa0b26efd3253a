// Sequence files in, a Text out: reading and packing at the same time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "text/text_builder.hpp"

namespace gsx {

struct ReadTextOptions {
  TextOptions text;
  /// Whether text.alphabet is to be replaced by guess_alphabet of the first records.
  bool guess = true;
  int threads = 1;  ///< for inflation, and for reading and packing
  std::uint64_t block_bytes = std::uint64_t{1} << 20;  ///< that a thread reads at a time
  MemoryLimit* memory = nullptr;  ///< asked before the text grows, if there is one
};

/// The records of all files as one text. Throws what SequenceReader and TextBuilder throw.
/// ResourceError when the memory limit does not hold the text; then the process has held no more
/// than that and what the threads' batches take, which are smaller where the limit is low. Cost:
/// one pass, about 0.6 ns a symbol of long plain lines, shared by the threads; compressed input is
/// bound by what inflates it. Memory beside the text for `threads` blocks and batches.
Text read_text(const std::vector<std::string>& paths, const ReadTextOptions& options,
               const ProgressReport& progress);

}  // namespace gsx
