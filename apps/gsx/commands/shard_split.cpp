#include "commands/shard_split.hpp"

#include <spdlog/fmt/fmt.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "options/numbers.hpp"
#include "options/option_kinds.hpp"
#include "records/file_stem.hpp"

namespace gsx::app {
namespace {

constexpr std::uint64_t most_shards = 100'000;

}  // namespace

void require_readable_twice(const std::vector<std::string>& files, const std::string& option,
                            const std::string& advice) {
  for (const std::string& file : files) {
    std::error_code error;
    if (!is_descriptor(file) && std::filesystem::is_regular_file(file, error)) continue;
    throw UsageError(fmt::format("{} reads the input more than once, and '{}' can be read once; {}",
                                 option, printable(file), advice));
  }
}

void add_shard_options(CLI::App& command, ShardOptions& options) {
  begin_group(command, "Output");
  auto* const shards =
      add_number(command, "--shards", options.shards, {1, most_shards},
                 "Write about N indexes of equal size, cut between records, and a manifest, which "
                 "-x takes as one index; one after another, so that memory need hold only one")
          ->default_str("")
          ->excludes("--append");
  add_length(command, "--shard-size", options.symbols, {1, std::uint64_t{1} << 48},
             "The same, where each index ends with the record that reaches N symbols")
      ->default_str("")
      ->excludes("--append")
      ->excludes(shards);
  auto* const shard = add_parsed(command, "--shard", "N",
                                 "Build only shard N, from 0, of --shards or --shard-size, and no "
                                 "manifest: for jobs that build a shard each",
                                 [&options](const std::string& text) {
                                   options.shard = parse_number(text, {0, most_shards});
                                 });
  add_flag(command, "--manifest-only", options.manifest_only,
           "Check the shards that --shard has built against the input, and write only their "
           "manifest")
      ->excludes(shard);
}

void ShardOptions::require_complete() const {
  if (shards != 0 && shard && *shard >= shards) {
    throw UsageError(fmt::format("--shard {}: the shards of --shards {} are 0 to {}", *shard,
                                 shards, shards - 1));
  }
  if (asked() || (!shard && !manifest_only)) return;
  throw UsageError(std::string(shard ? "--shard" : "--manifest-only") +
                   " needs --shards or --shard-size, as the other jobs have it");
}

std::string file_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

std::string shard_path(const std::string& path, std::uint64_t number, std::uint64_t shards) {
  std::filesystem::path stem(path);
  if (stem.extension() == ".gsx") stem.replace_extension();
  const std::size_t digits = std::to_string(std::max<std::uint64_t>(1, shards) - 1).size();
  return stem.string() + fmt::format(".{:0{}}.gsx", number, std::max<std::size_t>(3, digits));
}

ShardSplit::ShardSplit(const ShardOptions& options, const InputOptions& input, Session& session)
    : options_(options) {
  const bool compares_names = input.keep_files && input.files.size() > 1;
  if (options.shard || options.manifest_only) {
    require_readable_twice(input.files, options.shard ? "--shard" : "--manifest-only",
                           "write it to a file");
  } else if (options.shards != 0) {
    require_readable_twice(input.files, "--shards", "give --shard-size instead");
  } else if (compares_names) {
    require_readable_twice(input.files, "--files with --shard-size", "write it to a file");
  }
  if (options.shards != 0 || compares_names) figures_ = figures_of(input, session);
}

IsShardFull ShardSplit::rule() const {
  if (options_.shards == 0) {
    return [most = options_.symbols](std::uint64_t in_shard, std::uint64_t) {
      return in_shard >= most;
    };
  }
  const std::uint64_t shards = options_.shards, total = figures_.symbols;
  const std::uint64_t part =
      std::max<std::uint64_t>(1, total / shards + (total % shards != 0 ? 1 : 0));
  // Shard k ends with the record that reaches k parts of all symbols, k from 1 on.
  return [part, reached = std::uint64_t{0}](std::uint64_t, std::uint64_t in_all) mutable {
    if (in_all / part <= reached) return false;
    reached = in_all / part;
    return true;
  };
}

std::uint64_t ShardSplit::shards_named(const InputOptions& input, Session& session) const {
  if (options_.shards != 0) return options_.shards;
  session.report("counting shards", -1);
  ShardInput reader(input, session, rule());
  std::uint64_t shards = 0;
  while (reader.skip())
    ++shards;
  return shards;
}

}  // namespace gsx::app
