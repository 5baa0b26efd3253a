// Reads sequence files into several texts, one after another, cut at records.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "machine/memory_limit.hpp"
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
  /// As read_text_within(). Refers to `memory`, which may be null.
  ShardReader(MemoryLimit* memory, std::vector<std::string> paths, const ReadTextOptions& options,
              const ProgressReport& progress, IsShardFull is_full);
  ~ShardReader();

  /// The next text; none if there are no more records. Throws what read_text() throws; InputError
  /// too for a text without symbols to index.
  std::optional<Text> next();
  /// Passes over the next text; none if there are no more records. Throws what parsing does. Cost:
  /// that of parsing.
  std::optional<ShardSize> skip();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The symbols of all records of the files, of any class. Cost: that of parsing.
std::uint64_t count_symbols(const std::vector<std::string>& paths, const ReadTextOptions& options);

}  // namespace gsx
