// Reads sequence files into several texts, one after another, cut at records.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/memory_limit.hpp"
#include "base/progress.hpp"
#include "text/shard_source.hpp"
#include "text/text.hpp"
#include "text/text_options.hpp"

namespace gsx {

/// What the records of a shard are.
struct ShardSize {
  std::uint64_t records = 0;
  std::uint64_t symbols = 0;  ///< of any class
};

/// Reads the records of the files once, in order. Each text holds the records up to the one with
/// which is_full() becomes true. All have the same alphabet.
class ShardReader {
 public:
  /// As read_text_within(), but `names_by_file` says whether the records are named FILE#NAME, since
  /// one shard cannot tell. Refers to `memory`, which may be null.
  ShardReader(MemoryLimit* memory, std::vector<std::string> paths, const ReadTextOptions& options,
              const ProgressReport& progress, IsShardFull is_full, bool names_by_file);
  ~ShardReader();

  /// The next text; none if there are no more records. Throws what read_text() throws; InputError
  /// too for a text without symbols to index.
  std::optional<Text> next();
  /// Passes over the next text; none if there are no more records. Throws what parsing does. Cost:
  /// that of parsing.
  std::optional<ShardSize> skip();
  /// The number of the first file of the text that was given last.
  std::size_t first_file() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// What all records of an input have to say on each of its shards.
struct InputFigures {
  std::uint64_t symbols = 0;   ///< of any class
  bool names_by_file = false;  ///< whether files are kept, and two of them share a record's name
};

/// Cost: that of parsing; if files are kept, 24 bytes per record. `memory` may be null.
InputFigures figures_of_input(MemoryLimit* memory, const std::vector<std::string>& paths,
                              const ReadTextOptions& options);

}  // namespace gsx
