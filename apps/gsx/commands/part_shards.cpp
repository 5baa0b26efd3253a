#include "commands/part_shards.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "index/store/shard_manifest.hpp"

namespace gsx::app {
namespace {

std::uint64_t checksum_of(const PartReader& part) {
  if (!part.run().index) part.fail("it does not say which index was searched");
  return part.run().index->checksum;
}

/// Throws InputError for a shard that has more parts than it occurs among the shards.
void refuse_twice(const std::deque<PartReader>& parts, const ShardManifest& manifest) {
  std::map<std::uint64_t, std::vector<const PartReader*>> of_shard;
  for (const PartReader& part : parts) {
    std::vector<const PartReader*>& own = of_shard[checksum_of(part)];
    own.push_back(&part);
    const auto shards =
        std::ranges::count(manifest.shards, checksum_of(part), &ShardEntry::checksum);
    if (own.size() <= std::max<std::size_t>(1, static_cast<std::size_t>(shards))) continue;
    part.fail("it is of the same index as '" + own.front()->label() +
              "', so the hits would count twice: name a part for each shard, and the manifest by "
              "-x if two of its shards are alike");
  }
}

/// Throws UsageError that names the shards without parts.
[[noreturn]] void fail_on_number(const std::deque<PartReader>& parts, const ShardManifest& manifest,
                                 const std::string& name) {
  std::string missing;
  for (const ShardEntry& shard : manifest.shards) {
    if (std::ranges::any_of(
            parts, [&](const PartReader& part) { return checksum_of(part) == shard.checksum; }))
      continue;
    missing += (missing.empty() ? "" : ", ") + printable(shard.file);
  }
  throw UsageError("'" + printable(name) + "' has " +
                   counted(manifest.shards.size(), "shard", "shards") + ", and " +
                   counted(parts.size(), "part is", "parts are") + " named" +
                   (missing.empty() ? "" : "; there is none of " + missing) +
                   ": name a part for each shard, in their order");
}

}  // namespace

WholeIndex require_shards(const std::deque<PartReader>& parts, const std::string& name) {
  if (name.empty()) {
    refuse_twice(parts, {});
    return {};
  }
  if (!begins_as_manifest(name))
    throw UsageError("'" + printable(name) +
                     "' is no manifest of shards: -x names the one that gsx index --shards made");
  const ShardManifest manifest = read_manifest(name);
  const std::string file = name.substr(name.rfind('/') + 1);
  WholeIndex whole{file, {}};
  for (const ShardEntry& shard : manifest.shards)
    whole.shards.push_back(shard.checksum);
  for (const PartReader& part : parts) {
    if (std::ranges::count(whole.shards, checksum_of(part)) != 0) continue;
    part.fail("it is of the index '" + printable(part.run().index->file) +
              "', which is no shard of '" + printable(file) +
              "', or not as it is now; leave out -x if it is a part of the whole");
  }
  refuse_twice(parts, manifest);
  if (parts.size() != whole.shards.size()) fail_on_number(parts, manifest, name);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (checksum_of(parts[i]) == whole.shards[i]) continue;
    parts[i].fail("it is of the shard '" + printable(parts[i].run().index->file) +
                  "', and the one of '" + printable(manifest.shards[i].file) +
                  "' should be in its place: name the parts in the order of the manifest");
  }
  return whole;
}

}  // namespace gsx::app
