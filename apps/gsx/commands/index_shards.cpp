#include "commands/index_shards.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "base/byte_text.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/messages.hpp"
#include "bytes/name_lock.hpp"
#include "index/store/index.hpp"
#include "options/numbers.hpp"
#include "options/options.hpp"
#include "records/file_stem.hpp"

namespace gsx::app {
namespace {

/// What may lie where a shard is to be written, unless --force is given: nothing, a shard of the
/// index that is replaced, or an index of the same sequences, such as a run leaves that was ended
/// while it put its shards in place. Throws UsageError for everything else.
Replacement check_shard(const std::string& shard, const std::vector<ShardEntry>& before, bool force,
                        Text& text, int threads) {
  require_shard_place(shard);
  Replacement replaced(shard, true, force);
  replaced.check_kind();
  if (!is_one_of(before, shard)) replaced.check_sequences(text, threads);
  return replaced;
}

/// Checks the replacement of a shard whose text is no longer there.
Replacement check_renamed_shard(const std::string& shard, const std::vector<ShardEntry>& before,
                                bool force) {
  require_shard_place(shard);
  Replacement replaced(shard, true, force);
  replaced.check_kind();
  std::error_code error;
  if (force || !std::filesystem::exists(shard, error) || is_one_of(before, shard)) return replaced;
  throw UsageError("'" + printable(shard) +
                   "' exists and is no shard of the index before: name another place with -o, or "
                   "replace it with --force");
}

}  // namespace

bool is_one_of(const std::vector<ShardEntry>& shards, const std::string& path) {
  const auto entry = std::ranges::find(shards, file_name(path), &ShardEntry::file);
  std::error_code error;
  if (entry == shards.end() || std::filesystem::file_size(path, error) != entry->bytes)
    return false;
  try {
    return Index::open(path, Load::lazy).checksum_of_header() == entry->checksum;
  } catch (const Error&) {
    return false;
  }
}

std::vector<ShardEntry> shards_there(const std::string& path) {
  if (!begins_as_manifest(path)) return {};
  try {
    return read_manifest(path).shards;
  } catch (const Error&) {
    return {};
  }
}

void warn_of_left_shards(const std::string& path, const std::vector<ShardEntry>& before,
                         const std::vector<ShardEntry>& now) {
  std::vector<std::string> left;
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code error;
  for (const ShardEntry& old : before) {
    const bool is_used = std::ranges::find(now, old.file, &ShardEntry::file) != now.end();
    if (!is_used && std::filesystem::exists(folder / old.file, error)) left.push_back(old.file);
  }
  if (left.empty()) return;
  log().warn("{} of the index before {} to none now, and may be deleted (first: '{}')",
             left.size() == 1 ? "1 shard" : fmt::format("{} shards", left.size()),
             left.size() == 1 ? "belongs" : "belong", printable(left.front()));
}

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

void write_shards(const ShardOptions& options, const InputOptions& input, Replacement& replaced,
                  Session& session, const WriteShard& write) {
  const std::string& path = replaced.path();
  const bool force = replaced.force();
  require_shard_place(path);
  const std::vector<ShardEntry> before = shards_there(path);
  Output out(path);
  ShardManifest manifest;
  std::vector<std::unique_ptr<Output>> shards;
  std::vector<Replacement> places;
  std::uint64_t bytes = 0;
  const ShardSplit split(options, input, session);
  ShardInput reader(input, session, split.rule(), split.names_by_file());
  while (std::optional<Text> text = reader.next()) {
    const std::string shard = shard_path(path, shards.size(), options.shards);
    places.push_back(check_shard(shard, before, force, *text, session.threads));
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
      places[i] = check_renamed_shard(shard, before, force);
      shards[i]->rename(shard);
      manifest.shards[i].file = file_name(shard);
    }
  }
  out.write(manifest.to_text());
  std::vector<Output*> outputs;
  outputs.reserve(shards.size() + 1);
  for (const auto& shard : shards)
    outputs.push_back(shard.get());
  outputs.push_back(&out);
  for (Output* const output : outputs)
    output->finish();  // the lock is for the names, which are given in no time
  const NameLock lock(path, tells_of_waiting(path));
  replaced.check_again(nullptr, session.threads);
  const std::vector<ShardEntry> shards_now = shards_there(path);
  for (Replacement& place : places) {  // a job may have written one, with the same bytes or others
    if (place.is_as_checked() || is_one_of(shards_now, place.path()) ||
        is_one_of(manifest.shards, place.path()))
      continue;
    place.check_again(nullptr, session.threads);
  }
  commit_all(outputs);
  log().info("index: {} ({} shards, {})", printable(path), manifest.shards.size(),
             size_text(bytes));
  if (options.shards != 0 && manifest.shards.size() != options.shards) {
    log().warn("there are {} shards, not {}: a record is never divided", manifest.shards.size(),
               options.shards);
  }
  warn_of_left_shards(path, shards_now, manifest.shards);
}

}  // namespace gsx::app
