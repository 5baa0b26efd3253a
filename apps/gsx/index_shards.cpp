#include "index_shards.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/messages.hpp"
#include "options.hpp"
#include "seq/file_stem.hpp"

namespace gsx::app {
namespace {

/// dir/many.gsx -> dir/many.007.gsx
std::string shard_path(const std::string& path, std::size_t number) {
  std::filesystem::path stem(path);
  if (stem.extension() == ".gsx") stem.replace_extension();
  return stem.string() + fmt::format(".{:03}.gsx", number);
}

void require_readable_twice(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    std::error_code error;
    if (!is_descriptor(file) && std::filesystem::is_regular_file(file, error)) continue;
    throw UsageError("--shards reads the input twice, and '" + printable(file) +
                     "' can be read once; give --shard-size instead");
  }
}

IsShardFull rule_of(const ShardOptions& options, const InputOptions& input, Session& session) {
  if (options.shards == 0) {
    return [most = options.symbols](std::uint64_t in_shard, std::uint64_t) {
      return in_shard >= most;
    };
  }
  require_readable_twice(input.files);
  const std::uint64_t total = count_input_symbols(input, session), shards = options.shards;
  // Shard k ends with the record that reaches k parts of all symbols, k from 1 on.
  return [total, shards, reached = std::uint64_t{0}](std::uint64_t, std::uint64_t in_all) mutable {
    const std::uint64_t part = total / shards + (total % shards != 0 ? 1 : 0);
    if (in_all / std::max<std::uint64_t>(1, part) <= reached) return false;
    reached = in_all / std::max<std::uint64_t>(1, part);
    return true;
  };
}

/// The shards of the manifest that is to be replaced; none if there is none that can be read.
std::vector<ShardEntry> shards_there(const std::string& path) {
  if (!begins_as_manifest(path)) return {};
  try {
    return read_manifest(path).shards;
  } catch (const Error&) {
    return {};
  }
}

/// Throws UsageError for a path beside which no shards can be.
void require_file(const std::string& path) {
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

void write_shards(const ShardOptions& options, const InputOptions& input, const std::string& path,
                  bool force, Session& session, const WriteShard& write) {
  require_file(path);
  const std::vector<ShardEntry> before = shards_there(path);
  Output out(path);
  ShardManifest manifest;
  std::vector<std::unique_ptr<Output>> shards;
  std::uint64_t bytes = 0;
  read_shards(input, session, rule_of(options, input, session), [&](Text text) {
    if (text.alphabet.policy() != SymbolPolicy::dna) {
      throw UsageError("an index in shards is for DNA, and the input is " +
                       std::string(name_of(text.alphabet.policy())));
    }
    const std::string shard = shard_path(path, shards.size());
    const std::string name = std::filesystem::path(shard).filename().string();
    if (!force) refuse_foreign(shard, name, path, before);
    refuse_overwriting(shard, input.files_read());
    shards.push_back(std::make_unique<Output>(shard));
    const std::uint64_t checksum = write(text, *shards.back());
    manifest.shards.push_back({name, shards.back()->offset(), checksum});
    bytes += shards.back()->offset();
    shards.back()->finish();
  });
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
