// Reads sequence files into a Text, below a limit that may change meanwhile, and behind records
// that are there already.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/memory_limit.hpp"
#include "base/progress.hpp"
#include "records/record_batch.hpp"
#include "text/text.hpp"
#include "text/text_options.hpp"

namespace gsx {

/// Records that come before those of the files.
struct EarlierRecords {
  NextBatch next;             ///< gives them, as SequenceReader::next
  std::uint64_t batches = 0;  ///< how many it gives
  std::uint64_t symbols = 0;  ///< at least those of the text, separators included
  SourceFilesView files;      ///< of which they are; empty if that is not kept, nor to be
};

/// As read_text(), but asks `memory`, if not null, instead of options.memory_limit. The records of
/// `earlier`, if not null, come first; options.text.alphabet must then be theirs.
Text read_text_within(MemoryLimit* memory, const std::vector<std::string>& paths,
                      const ReadTextOptions& options, const ProgressReport& progress,
                      const EarlierRecords* earlier = nullptr);

/// The text of the records that `next` gives, as SequenceReader::next: at most `symbols` symbols,
/// separators included. Pre: options.text.alphabet is theirs.
Text text_of_records(const NextBatch& next, std::uint64_t symbols, const ReadTextOptions& options);

}  // namespace gsx
