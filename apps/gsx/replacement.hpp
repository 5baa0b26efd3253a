// Decides whether a new index may replace the file that has its name.
#pragma once

#include <functional>
#include <string>

#include "text/text.hpp"

namespace gsx::app {

struct Replacement {
  std::string path;      ///< of the index to be written
  bool derived = false;  ///< whether its name was derived from the input's
  bool force = false;    ///< --force

  /// Call this first: throws UsageError for a file that is not an index, unless it is empty.
  void check_kind() const;

  /// If the name is derived, call this before sorting: it refuses an index of other sequences
  /// (UsageError). Otherwise it only warns of one, and may be called once the checksums exist. An
  /// index that this gsx cannot read, because it is damaged or has another format, is replaced.
  /// Computes the checksums of `text` if names and lengths do not differ: then the symbols decide.
  void check_sequences(Text& text, int threads) const;
};

/// Logs that the run waits for another one that is about to replace the file of that name: for
/// NameLock.
std::function<void()> tells_of_waiting(const std::string& path);

}  // namespace gsx::app
