// index --shards and --shard-size: an index in several files, and their manifest.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bytes/output.hpp"
#include "commands/shard_split.hpp"
#include "index/store/shard_manifest.hpp"
#include "inputs/input_options.hpp"
#include "outputs/replacement.hpp"
#include "process/session.hpp"

namespace gsx::app {

/// Builds the index of a text and writes it to an output; returns the checksum of its header.
using WriteShard = std::function<std::uint64_t(Text& text, Output& out)>;

/// Whether a file is the shard of that name, unchanged.
bool is_one_of(const std::vector<ShardEntry>& shards, const std::string& path);

/// The shards of the manifest that is to be replaced; none if there is none that can be read.
std::vector<ShardEntry> shards_there(const std::string& path);
/// Warns of files beside `path` that were shards of the index `before` and belong to none `now`.
void warn_of_left_shards(const std::string& path, const std::vector<ShardEntry>& before,
                         const std::vector<ShardEntry>& now);

/// Throws UsageError for a path beside which no shards can be.
void require_shard_place(const std::string& path);

/// Reads the input and writes an index of each part of it beside the path of `replaced`, and the
/// manifest to that. All of them appear at the end: a run that fails leaves what was there. Throws
/// UsageError for input that cannot be read twice, if shards are counted; for a path that is no
/// file; and without --force for a shard that would replace a file which is neither a shard of the
/// manifest before nor an index of the same sequences. Throws what `replaced` does.
void write_shards(const ShardOptions& options, const InputOptions& input, Replacement& replaced,
                  Session& session, const WriteShard& write);

}  // namespace gsx::app
