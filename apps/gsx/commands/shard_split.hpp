// How an input is cut into shards, and what they are called.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "inputs/input_options.hpp"
#include "process/session.hpp"

namespace gsx::app {

/// Throws UsageError for input that can be read once only. `option` is what reads it again.
void require_readable_twice(const std::vector<std::string>& files, const std::string& option,
                            const std::string& advice);

struct ShardOptions {
  std::uint64_t shards = 0;            ///< about how many; 0: as `symbols` says
  std::uint64_t symbols = 0;           ///< a shard ends with the record that reaches so many
  std::optional<std::uint64_t> shard;  ///< the only one to be built, from 0
  bool manifest_only = false;          ///< of shards that are there

  bool asked() const { return shards != 0 || symbols != 0; }
  /// Throws UsageError if a part of the work is asked for, and not how the input is cut; and for a
  /// shard that there is not.
  void require_complete() const;
};

/// Adds --shards, --shard-size, --shard and --manifest-only. Call it when --append is there.
void add_shard_options(CLI::App& command, ShardOptions& options);

/// dir/many.007.gsx -> many.007.gsx: what the manifest calls a shard.
std::string file_name(const std::string& path);

/// dir/many.gsx -> dir/many.007.gsx. All numbers of shards have as many digits as the last of
/// `shards`, at least three, so that names sort as the shards do.
std::string shard_path(const std::string& path, std::uint64_t number, std::uint64_t shards);

/// Where each shard ends. It depends on the records and the options alone, so that every job which
/// builds one of the shards decides the same.
class ShardSplit {
 public:
  /// Reads the input if a number of shards is asked for, which needs its symbols, or if names of
  /// several files are kept, which may be those of records, too. Throws UsageError for input that
  /// can be read once, if it has to be read several times.
  ShardSplit(const ShardOptions& options, const InputOptions& input, Session& session);

  /// A rule for one reading of the input.
  IsShardFull rule() const;
  /// Whether records are named FILE#NAME, in all shards.
  bool names_by_file() const { return figures_.names_by_file; }
  /// How many shards names are made for: the number asked for, although there may be fewer, or
  /// else that of the shards. Cost: reading the input in the second case.
  std::uint64_t shards_named(const InputOptions& input, Session& session) const;

 private:
  ShardOptions options_;
  InputFigures figures_;  ///< if they were needed
};

}  // namespace gsx::app
