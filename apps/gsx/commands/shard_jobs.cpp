#include "commands/shard_jobs.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <optional>

#include "base/byte_text.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/messages.hpp"
#include "bytes/name_lock.hpp"
#include "index/store/index.hpp"
#include "index/store/index_changed.hpp"
#include "index/store/indexed_records.hpp"
#include "options/numbers.hpp"
#include "options/options.hpp"
#include "outputs/replacement.hpp"
#include "text/record_checksum.hpp"

namespace gsx::app {
namespace {

/// What to run for a shard that is missing or wrong.
std::string cure(const ShardOptions& options, std::uint64_t shard) {
  return options.shards != 0
             ? fmt::format("; build it with --shards {} --shard {}", options.shards, shard)
             : fmt::format("; build it with --shard-size {} --shard {}", options.symbols, shard);
}

/// Warns where the manifest that is there names another shard of that name.
void warn_of_manifest(const std::string& path, const std::string& shard, std::uint64_t checksum) {
  if (!begins_as_manifest(path)) return;
  try {
    const ShardManifest manifest = read_manifest(path);
    const auto entry = std::ranges::find(manifest.shards, file_name(shard), &ShardEntry::file);
    if (entry != manifest.shards.end() && entry->checksum == checksum) return;
    log().warn("the manifest '{}' is not of this '{}'; write it again with --manifest-only",
               printable(path), printable(shard));
  } catch (const Error&) {  // whoever opens it says why
  }
}

/// How the options differ that an index was made with from those of the text; null if they do not.
const char* other_option(const Index& index, const Text& text, const ShardContent& content) {
  const RecordsView records = text.records_view();
  const SourceFilesView &kept = index.records().files, &files = records.files;
  if (index.alphabet().policy() != text.alphabet.policy()) return "--alphabet";
  if (index.meta().sample_rate != content.sample_rate) return "--sa-rate";
  const LetterCaseView letters = text.letter_case.view();
  const LetterCaseView indexed = index.letter_case();
  const bool same_case =
      indexed.kept == letters.kept && indexed.runs.size() == letters.runs.size() &&
      (letters.runs.empty() ||
       std::memcmp(indexed.runs.data(), letters.runs.data(), letters.runs.size_bytes()) == 0);
  if ((index.meta().soft_mask_split != 0) != text.soft_mask_split || !same_case)
    return "--soft-mask";
  if (index.md5s().empty() == content.md5) return "--md5";
  if (index.whole_header() != text.whole_header) return "--whole-header";
  bool same_files = kept.size() == files.size() && index.names_by_file() == text.names_by_file;
  for (std::uint64_t f = 0; same_files && f < files.size(); ++f)
    same_files = kept.name(f) == files.name(f) && kept.record_ends[f] == files.record_ends[f];
  return same_files ? nullptr : "--files";
}

/// Opens a shard and checks that it is the index of the text.
Index open_if_of(const std::string& shard, std::uint64_t number, Text& text,
                 const ShardContent& content, Session& session) {
  const auto other = [&](const std::string& why) {
    throw CorruptIndexError(fmt::format("'{}' is not shard {} of this input and these options: {}",
                                        printable(shard), number, why));
  };
  std::error_code error;
  if (!std::filesystem::exists(shard, error))
    throw ForeignIndexError(fmt::format("'{}', shard {}, is missing", printable(shard), number));
  if (!std::filesystem::is_regular_file(shard, error)) other("it is not a file");
  if (std::filesystem::file_size(shard, error) == 0) other("it is empty");
  Index index = Index::open(shard, Load::map, session.threads);
  if (index.meta().length != text.length())
    other(fmt::format("it has {} symbols, and the input {}", index.meta().length, text.length()));
  if (index.records().files.empty() == text.files.kept())  // names of records depend on it
    other("it was made with another --files");
  const IndexedRecords records = IndexedRecords::open(shard, session.threads);
  if (const auto found = records.difference(text.records_view())) other(*found);
  if (index.records().comments != text.comments) other("a header has another comment");
  checksum_records(text, session.threads);
  if (const auto found = records.symbols_difference(text.records_view())) other(*found);
  if (const char* const option = other_option(index, text, content))
    other(std::string("it was made with another ") + option);
  return index;
}

/// Opens the shard; the message of an error says what to run.
Index open_shard_of(const std::string& shard, std::uint64_t number, Text& text,
                    const ShardOptions& options, const ShardContent& content, Session& session) {
  try {
    return open_if_of(shard, number, text, content, session);
  } catch (const IndexChangedError&) {
    throw;  // its cure is to run the same command again
  } catch (const CorruptIndexError& error) {
    throw CorruptIndexError(error.what() + cure(options, number));
  } catch (const ForeignIndexError& error) {
    throw ForeignIndexError(error.what() + cure(options, number));
  }
}

void warn_of_few(std::uint64_t shards, std::uint64_t number) {
  log().warn(
      "the input fills only {} {}, because records are not divided; there is nothing to build for "
      "shard {}",
      shards, shards == 1 ? "shard" : "shards", number);
}

}  // namespace

void write_shard(const ShardOptions& options, const InputOptions& input, const std::string& path,
                 bool force, Session& session, const WriteShard& write) {
  const std::uint64_t number = *options.shard;
  require_shard_place(path);
  const ShardSplit split(options, input, session);
  const std::uint64_t shards = split.shards_named(input, session);
  const std::string shard = shard_path(path, number, shards);
  Replacement replaced(shard, false, force);
  replaced.check_kind();
  Output out(shard);
  ShardInput reader(input, session, split.rule(), split.names_by_file());
  for (std::uint64_t skipped = 0; skipped < number; ++skipped) {
    if (reader.skip()) continue;
    return warn_of_few(skipped, number);
  }
  std::optional<Text> text = reader.next();
  if (!text) return warn_of_few(number, number);
  const std::uint64_t checksum = write(*text, out);
  replaced.check_sequences(*text, session.threads);
  const std::uint64_t bytes = out.offset();
  out.finish();
  const NameLock lock(path, tells_of_waiting(path));  // of the manifest, which names the shard
  replaced.check_again(&*text, session.threads);
  out.commit();
  log().info("shard: {} ({})", printable(shard), size_text(bytes));
  warn_of_manifest(path, shard, checksum);
}

void write_manifest(const ShardOptions& options, const InputOptions& input, Replacement& replaced,
                    const ShardContent& content, Session& session) {
  const std::string& path = replaced.path();
  require_shard_place(path);
  Output out(path);
  const ShardSplit split(options, input, session);
  const std::uint64_t named = split.shards_named(input, session);
  ShardInput reader(input, session, split.rule(), split.names_by_file());
  ShardManifest manifest;
  std::uint64_t bytes = 0;
  while (std::optional<Text> text = reader.next()) {
    const std::uint64_t number = manifest.shards.size();
    const std::string shard = shard_path(path, number, named);
    session.report("checking shards", -1);
    const Index index = open_shard_of(shard, number, *text, options, content, session);
    manifest.shards.push_back({file_name(shard), index.file_bytes(), index.checksum_of_header()});
    bytes += index.file_bytes();
    index.require_unchanged();
  }
  out.write(manifest.to_text());
  out.finish();
  const NameLock lock(path, tells_of_waiting(path));
  for (std::uint64_t number = 0; number < manifest.shards.size(); ++number) {
    const std::string shard = shard_path(path, number, named);
    if (!is_one_of(manifest.shards, shard))
      throw CorruptIndexError("'" + printable(shard) +
                              "' was replaced after it was checked; run the command again");
  }
  replaced.check_again(nullptr, session.threads);
  out.commit();
  log().info("index: {} ({} shards, {})", printable(path), manifest.shards.size(),
             size_text(bytes));
  for (std::uint64_t number = manifest.shards.size(); number < named; ++number) {
    const std::string shard = shard_path(path, number, named);
    std::error_code error;
    if (std::filesystem::exists(shard, error))
      log().warn("'{}' is no shard of this index", printable(shard));
  }
}

}  // namespace gsx::app
