// Opens the files of an index in shards.
#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"
#include "index/store/shard_manifest.hpp"

namespace gsx {

/// Throws ForeignIndexError if the file of a shard is missing, and CorruptIndexError if it holds no
/// index, of whatever version. `manifest` is for messages.
void require_shard(const std::string& file, const std::string& manifest);

[[noreturn]] void refuse_other_shard(const std::string& file, const std::string& manifest);
[[noreturn]] void refuse_shard_for_resources(const ResourceError& error);

/// What open(file) gives for each shard of a manifest, in order: something whose file_bytes() and
/// checksum_of_header() say whether it is the shard that the manifest names. Throws what
/// read_manifest(), require_shard() and open() throw, and CorruptIndexError for another shard.
template <class Open>
auto open_shard_files(const std::string& manifest, const Open& open) {
  const ShardManifest shards = read_manifest(manifest);
  const std::vector<std::string> files = shard_paths(manifest, shards);
  std::vector<decltype(open(manifest))> opened;
  for (std::size_t i = 0; i < files.size(); ++i) {
    require_shard(files[i], manifest);
    try {
      opened.push_back(open(files[i]));
    } catch (const ResourceError& error) {
      refuse_shard_for_resources(error);
    }
    const ShardEntry& entry = shards.shards[i];
    if (opened.back().checksum_of_header() != entry.checksum ||
        opened.back().file_bytes() != entry.bytes)
      refuse_other_shard(files[i], manifest);
  }
  return opened;
}

}  // namespace gsx
