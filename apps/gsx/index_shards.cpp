#include "index_shards.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/messages.hpp"
#include "io/output_place.hpp"
#include "options.hpp"
#include "seq/file_stem.hpp"

namespace gsx::app {
namespace {

/// The shards of the manifest that is to be replaced; none if there is none that can be read.
std::vector<ShardEntry> shards_there(const std::string& path) {
  if (!begins_as_manifest(path)) return {};
  try {
    return read_manifest(path).shards;
  } catch (const Error&) {
    return {};
  }
}

/// Throws UsageError for a file that is no shard of the index before.
void refuse_foreign(const std::string& shard, const std::string& name, const std::string& path,
                    const std::vector<ShardEntry>& before) {
  std::error_code error;
  if (!std::filesystem::exists(shard, error)) return;
  if (std::ranges::find(before, name, &ShardEntry::file) != before.end()) return;
  throw UsageError("'" + printable(shard) + "' exists and is no shard of '" + printable(path) +
                   "': name another place with -o, or replace it with --force");
}

}  // namespace

void require_shard_place(const std::string& path) {
  std::error_code error;
  const auto type = std::filesystem::status(path, error).type();
  const bool possible =
      type == std::filesystem::file_type::not_found || type == std::filesystem::file_type::regular;
  if (is_descriptor(path) || !possible) {
    throw UsageError("shards are files, and '" + printable(path) +
                     "' is none; name one with -o FILE.gsx");
  }
  for (const char c : std::filesystem::path(path).filename().string()) {
    if (static_cast<unsigned char>(c) >= ' ') continue;
    throw UsageError("the name '" + printable(path) +
                     "' has a control character, which a manifest cannot hold");
  }
}

void require_shard_text(const Text& text) {
  if (text.alphabet.policy() == SymbolPolicy::dna) return;
  throw UsageError("an index in shards is for DNA, and the input is " +
                   std::string(name_of(text.alphabet.policy())));
}

void write_shards(const ShardOptions& options, const InputOptions& input, const std::string& path,
                  bool force, Session& session, const WriteShard& write) {
  require_shard_place(path);
  const std::vector<ShardEntry> before = shards_there(path);
  const auto check = [&](const std::string& shard) {
    if (!force) refuse_foreign(shard, file_name(shard), path, before);
    refuse_overwriting(shard, input.files_read());
  };
  Output out(path);
  ShardManifest manifest;
  std::vector<std::unique_ptr<Output>> shards;
  std::uint64_t bytes = 0;
  const ShardSplit split(options, input, session);
  ShardInput reader(input, session, split.rule());
  while (std::optional<Text> text = reader.next()) {
    require_shard_text(*text);
    const std::string shard = shard_path(path, shards.size(), options.shards);
    check(shard);
    shards.push_back(std::make_unique<Output>(shard));
    const std::uint64_t checksum = write(*text, *shards.back());
    manifest.shards.push_back({file_name(shard), shards.back()->offset(), checksum});
    bytes += shards.back()->offset();
    shards.back()->finish();
  }
  if (options.shards == 0) {  // how many digits the names take is known only now
    for (std::size_t i = 0; i < shards.size(); ++i) {
      const std::string shard = shard_path(path, i, shards.size());
      if (file_name(shard) == manifest.shards[i].file) continue;
      check(shard);
      shards[i]->rename(shard);
      manifest.shards[i].file = file_name(shard);
    }
  }
  out.write(manifest.to_text());
  out.finish();
  for (const auto& shard : shards)
    shard->commit();
  out.commit();
  log().info("index: {} ({} shards, {:.1f} MB)", printable(path), manifest.shards.size(),
             static_cast<double>(bytes) / 1e6);
  if (options.shards != 0 && manifest.shards.size() != options.shards) {
    log().warn("there are {} shards, not {}: a record is never divided", manifest.shards.size(),
               options.shards);
  }
  for (const ShardEntry& old : before) {
    if (std::ranges::find(manifest.shards, old.file, &ShardEntry::file) == manifest.shards.end())
      log().warn("'{}' was a shard of the index before, and belongs to none now",
                 printable(old.file));
  }
}

}  // namespace gsx::app
