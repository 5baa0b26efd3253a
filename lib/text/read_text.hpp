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
  std::uint64_t batch_symbols = std::uint64_t{1} << 20;
};

/// The records of all files as one text. Throws what SequenceReader and TextBuilder throw.
/// Cost: one pass, bound by one thread that parses (0.25 ns a symbol of long plain lines) while
/// others pack; memory beside the text for `threads` + 2 batches.
Text read_text(const std::vector<std::string>& paths, const ReadTextOptions& options,
               const ProgressReport& progress);

}  // namespace gsx
