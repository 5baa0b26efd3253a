// index --shard and --manifest-only: shards that jobs build one by one.
#pragma once

#include <string>

#include "commands/index_shards.hpp"

namespace gsx::app {

/// Writes shard options.shard beside `path`, and no manifest: the bytes that write_shards() gives
/// it. Does nothing if the input has so few records that there is no such shard. Throws what
/// write_shards() does; a file that is an index may be replaced.
void write_shard(const ShardOptions& options, const InputOptions& input, const std::string& path,
                 bool force, Session& session, const WriteShard& write);

/// What the shards of a manifest must have been made with.
struct ShardContent {
  std::uint32_t sample_rate = 0;
  bool md5 = false;
};

/// Reads the input, checks that the shards beside the path of `replaced` are those of its records,
/// whole and made with these options, and writes their manifest. Throws ForeignIndexError for a
/// shard that is missing, and CorruptIndexError for one that is damaged or another one. Cost:
/// reading the input twice and the shards once; memory for the text of one shard.
void write_manifest(const ShardOptions& options, const InputOptions& input, Replacement& replaced,
                    const ShardContent& content, Session& session);

}  // namespace gsx::app
