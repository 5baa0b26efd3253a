// The manifest of an index in shards: which index files hold its records, in order.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gsx {

/// What a manifest begins with.
inline constexpr std::string_view manifest_magic = "GSXSHARD";

/// An index file that holds a part of the records.
struct ShardEntry {
  std::string file;            ///< its name, in the folder of the manifest
  std::uint64_t bytes = 0;     ///< of the file
  std::uint64_t checksum = 0;  ///< of its header, which has those of all its sections
};

struct ShardManifest {
  std::vector<ShardEntry> shards;  ///< at least one, in the order of the records

  /// The content of the file: lines of text, the last of which has the checksum of the others.
  std::string to_text() const;
};

/// Whether a file begins as a manifest; it may be damaged.
bool begins_as_manifest(const std::string& path);

/// The paths of the shards of a manifest, which are in its folder; of a link to it, where it leads.
std::vector<std::string> shard_paths(const std::string& path, const ShardManifest& manifest);

/// Throws ForeignIndexError for a file that cannot be read or a manifest of another version, and
/// CorruptIndexError for a damaged one.
ShardManifest read_manifest(const std::string& path);

}  // namespace gsx
