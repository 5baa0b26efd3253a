#include "index/store/shard_manifest.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "index/store/checksum.hpp"

namespace gsx {
namespace {

// GSXSHARD 1
// FILE <tab> BYTES <tab> CHECKSUM       for each shard; the checksum as 16 hexadecimal digits
// end <tab> SHARDS <tab> CHECKSUM       of the lines before
constexpr std::string_view first_line = "GSXSHARD 1\n";
constexpr std::size_t most_bytes = std::size_t{1} << 26;

std::uint64_t checksum_of(std::string_view text) {
  return checksum({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, 1);
}

/// The number that all of `text` is, in that base.
std::optional<std::uint64_t> number(std::string_view text, int base) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Takes what is before the next `end` off the text.
std::optional<std::string_view> take(std::string_view& text, char end) {
  const std::size_t at = text.find(end);
  if (at == text.npos) return std::nullopt;
  const std::string_view taken = text.substr(0, at);
  text.remove_prefix(at + 1);
  return taken;
}

/// Whether it is the name of a file in the folder of the manifest.
bool is_shard_name(std::string_view name) {
  return !name.empty() && name.find_first_of(std::string_view("/\0", 2)) == name.npos;
}

/// The lines of a manifest; none if it is not whole.
std::optional<ShardManifest> parse(std::string_view all) {
  std::string_view text = all.substr(first_line.size());
  ShardManifest manifest;
  for (;;) {
    const std::size_t begin = all.size() - text.size();
    const auto name = take(text, '\t'), size = take(text, '\t'), sum = take(text, '\n');
    if (!name || !size || !sum) return std::nullopt;
    const auto bytes = number(*size, 10), checksum = number(*sum, 16);
    if (!bytes || !checksum) return std::nullopt;
    if (*name == "end") {
      const bool whole = text.empty() && *bytes == manifest.shards.size() &&
                         *checksum == checksum_of(all.substr(0, begin));
      return whole && *bytes != 0 ? std::optional(manifest) : std::nullopt;
    }
    if (!is_shard_name(*name)) return std::nullopt;
    manifest.shards.push_back({std::string(*name), *bytes, *checksum});
  }
}

}  // namespace

std::string ShardManifest::to_text() const {
  std::string text(first_line);
  for (const ShardEntry& shard : shards)
    text += fmt::format("{}\t{}\t{:016x}\n", shard.file, shard.bytes, shard.checksum);
  return text + fmt::format("end\t{}\t{:016x}\n", shards.size(), checksum_of(text));
}

bool begins_as_manifest(const std::string& path) {
  std::error_code error;  // a FIFO would wait for a writer
  if (!std::filesystem::is_regular_file(path, error)) return false;
  std::ifstream file(path, std::ios::binary);
  char begin[manifest_magic.size()];
  return file.read(begin, sizeof begin) && std::string_view(begin, sizeof begin) == manifest_magic;
}

std::vector<std::string> shard_paths(const std::string& path, const ShardManifest& manifest) {
  std::error_code error;
  std::filesystem::path real = std::filesystem::canonical(path, error);
  if (error || !std::filesystem::is_symlink(path, error)) real = path;
  std::vector<std::string> paths;
  for (const ShardEntry& shard : manifest.shards)
    paths.push_back((real.parent_path() / shard.file).string());
  return paths;
}

ShardManifest read_manifest(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::error_code error;
  const std::uint64_t size = std::filesystem::file_size(path, error);
  std::string text(error ? 0 : std::min<std::uint64_t>(size, most_bytes), '\0');
  if (!file || error || !file.read(text.data(), static_cast<std::streamsize>(text.size())))
    throw ForeignIndexError("cannot read '" + printable(path) + "' as the manifest of shards");
  if (text.starts_with(manifest_magic) && text.find('\n') != text.npos &&
      !text.starts_with(first_line)) {
    throw ForeignIndexError("'" + printable(path) +
                            "' is a manifest of shards of another version; make the shards again "
                            "with this gsx");
  }
  const auto manifest = text.starts_with(first_line) ? parse(text) : std::nullopt;
  if (manifest) return *manifest;
  throw CorruptIndexError("the manifest '" + printable(path) +
                          "' is damaged or cut short; copy it again or make the shards again with "
                          "gsx index");
}

}  // namespace gsx
