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
  int threads = 1;  ///< for inflation
  std::uint64_t batch_symbols = std::uint64_t{1} << 20;
};

/// The records of all files as one text. Throws what SequenceReader and TextBuilder throw.
/// Cost: one pass; reading and inflating overlap packing.
Text read_text(const std::vector<std::string>& paths, const ReadTextOptions& options,
               const ProgressReport& progress);

}  // namespace gsx
