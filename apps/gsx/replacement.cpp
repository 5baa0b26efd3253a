#include "replacement.hpp"

#include <filesystem>
#include <optional>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/messages.hpp"
#include "store/index.hpp"
#include "store/indexed_records.hpp"
#include "store/shard_manifest.hpp"
#include "text/record_checksum.hpp"

namespace gsx::app {
namespace {

bool is_file(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error);
}

/// How the records of an index differ from those of the text.
std::optional<std::string> difference(const std::string& path, Text& text, int threads) {
  const IndexedRecords there = IndexedRecords::open(path, threads);
  if (auto found = there.difference(text.records_view())) return found;
  if (!text.checksummed) checksum_records(text, threads);
  return there.symbols_difference(text.records_view());
}

/// Warns where an index of the same sequences loses what it knows of their files.
void warn_of_lost_files(const std::string& path, const Text& text, int threads) {
  if (text.files.kept()) return;
  try {
    if (Index::open(path, Load::lazy, threads).records().files.empty()) return;
    log().warn(
        "'{}' kept the names of its input files, and the new index does not: --files keeps them",
        printable(path));
  } catch (const Error&) {  // it is replaced because it cannot be read
  }
}

}  // namespace

void Replacement::check_kind() const {
  std::error_code error;
  if (force || !is_file(path) || begins_as_index(path)) return;
  if (begins_as_manifest(path)) {
    if (!derived) return;
    throw UsageError("'" + printable(path) +
                     "' is the manifest of an index in shards: name another place with -o, or "
                     "replace it with --force");
  }
  if (std::filesystem::file_size(path, error) == 0) return;
  throw UsageError("'" + printable(path) +
                   "' exists and is not a gsx index: name another place with -o, or replace it "
                   "with --force");
}

void Replacement::check_sequences(Text& text, int threads) const {
  if (force || !is_file(path) || !begins_as_index(path)) return;
  std::optional<std::string> other;
  try {
    other = difference(path, text, threads);
  } catch (const ForeignIndexError& error) {
    log().info("replacing {}: {}", printable(path), error.what());
  } catch (const CorruptIndexError& error) {
    log().info("replacing {}: {}", printable(path), error.what());
  }
  if (!other) return warn_of_lost_files(path, text, threads);
  if (derived) {
    throw UsageError("'" + printable(path) + "' is the index of other sequences: " + *other +
                     "; name another place with -o, or replace it with --force");
  }
  log().warn("replacing '{}', the index of other sequences: {}", printable(path), *other);
}

std::function<void()> tells_of_waiting(const std::string& path) {
  return [path] { log().info("waiting for another gsx that writes {}", printable(path)); };
}

}  // namespace gsx::app
