// Decides whether a new index may replace the file that has its name.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "bytes/file_identity.hpp"
#include "text/text.hpp"

namespace gsx::app {

/// A name that a new index is to have. Another run may give it to another file at any time before
/// this one holds its NameLock, so what was checked is checked again then.
class Replacement {
 public:
  /// What is written to the name.
  enum class Kind { index, manifest };

  /// `derived` says whether the name was derived from the input's, and `force` that --force is
  /// given.
  Replacement(std::string path, bool derived, bool force, Kind kind = Kind::index)
      : path_(std::move(path)), derived_(derived), force_(force), kind_(kind) {}

  const std::string& path() const { return path_; }
  bool derived() const { return derived_; }
  bool force() const { return force_; }

  /// Call this first: throws UsageError for a file that is not an index, unless it is empty, and if
  /// the name is derived, for a manifest, or where a manifest would replace an index. Where the
  /// name is not derived, it warns of the latter.
  void check_kind();

  /// Checks the kind. If the name is derived, call this before sorting: it refuses an index of
  /// other sequences (UsageError). Otherwise it only warns of one, and may be called once the
  /// checksums exist. An index that this gsx cannot read, because it is damaged or has another
  /// format, is replaced. Computes the checksums of `text` if names and lengths do not differ: then
  /// the symbols decide.
  void check_sequences(Text& text, int threads) { check(&text, threads, ""); }

  /// Whether the name leads to what it led to at the last check.
  bool is_as_checked() const { return FileIdentity::of(path_) == seen_; }
  /// Call this while the name is locked. If it leads to another file than it did at the last check,
  /// checks the kind and the sequences again; a derived name does not replace what cannot be
  /// compared, and another one does so with a warning. `text` is null if it is no longer there.
  void check_again(Text* text, int threads);

 private:
  bool check(Text* text, int threads, const char* since);

  std::string path_;
  bool derived_;
  bool force_;
  Kind kind_;
  FileIdentity seen_;  ///< of the last check
};

/// Logs that the run waits for another one that is about to replace the file of that name: for
/// NameLock.
std::function<void()> tells_of_waiting(const std::string& path);

}  // namespace gsx::app
