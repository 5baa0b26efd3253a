#include "outputs/replacement.hpp"

#include <filesystem>
#include <optional>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/messages.hpp"
#include "index/store/index.hpp"
#include "index/store/indexed_records.hpp"
#include "index/store/shard_manifest.hpp"
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

void Replacement::check_kind() {
  std::error_code error;
  seen_ = FileIdentity::of(path_);
  if (force_ || !is_file(path_)) return;
  const bool is_index = begins_as_index(path_);
  if (is_index || begins_as_manifest(path_)) {
    if (is_index && kind_ == Kind::index) return;
    if (!derived_) {
      if (is_index) {
        log().warn("replacing '{}', an index in one file, with the manifest of an index in shards",
                   printable(path_));
      }
      return;
    }
    throw UsageError("'" + printable(path_) + "' is " +
                     (is_index ? "an index in one file" : "the manifest of an index in shards") +
                     ": name another place with -o, or replace it with --force");
  }
  if (std::filesystem::file_size(path_, error) == 0) return;
  throw UsageError("'" + printable(path_) +
                   "' exists and is not a gsx index: name another place with -o, or replace it "
                   "with --force");
}

/// Returns whether the file, if there is one, was compared with the text, if that is there. `since`
/// says in a warning how the file came there.
bool Replacement::check(Text* text, int threads, const char* since) {
  check_kind();
  if (!is_file(path_)) return true;
  if (force_ || text == nullptr || !begins_as_index(path_)) return false;
  std::optional<std::string> other;
  try {
    other = difference(path_, *text, threads);
  } catch (const ForeignIndexError& error) {
    log().info("replacing {}: {}", printable(path_), error.what());
  } catch (const CorruptIndexError& error) {
    log().info("replacing {}: {}", printable(path_), error.what());
  }
  if (!other) {
    warn_of_lost_files(path_, *text, threads);
  } else if (derived_) {
    throw UsageError("'" + printable(path_) + "' is the index of other sequences: " + *other +
                     "; name another place with -o, or replace it with --force");
  } else {
    log().warn("replacing '{}', {}the index of other sequences: {}", printable(path_), since,
               *other);
  }
  return true;
}

void Replacement::check_again(Text* text, int threads) {
  if (is_as_checked()) return;
  if (check(text, threads, "which another gsx has written meanwhile, ")) return;
  if (derived_ && !force_) {
    throw UsageError("another gsx has written '" + printable(path_) +
                     "' meanwhile: name another place with -o, or replace it with --force");
  }
  log().warn("replacing '{}', which another gsx has written meanwhile", printable(path_));
}

std::function<void()> tells_of_waiting(const std::string& path) {
  return [path] { log().info("waiting for another gsx that writes {}", printable(path)); };
}

}  // namespace gsx::app
