// The index that index --append adds records to.
#pragma once

#include <string>

#include "bytes/file_identity.hpp"
#include "index/store/index.hpp"
#include "index/store/index_batches.hpp"
#include "inputs/input_options.hpp"

namespace gsx::app {

/// What index --append was given, beside the index: "" and 0 for what was not.
struct GrownOptions {
  std::string alphabet;
  std::string soft_mask;
  std::uint32_t sample_rate = 0;
};

/// An index whose records come before those of the files. It stays as it is.
class GrownIndex {
 public:
  GrownIndex(const std::string& path, int threads);

  /// Makes the input's options those that the index was made with. Throws UsageError for one that
  /// was given and is another.
  void adopt(const GrownOptions& given, InputOptions& input) const;

  /// Throws CorruptIndexError if a record is not what its checksum says.
  void check(Session& session) const;
  /// Throws RuntimeError if `path` named the index when it was opened, and names another file now,
  /// which would be lost. NameLock keeps other runs of gsx from it; other programs know no lock.
  void require_in_place(const std::string& path) const;

  const Index& index() const { return index_; }
  /// The records, to be read once.
  EarlierRecords records();

 private:
  std::string soft_mask() const;

  std::string path_;
  FileIdentity opened_;  ///< before it was opened
  Index index_;
  IndexBatches batches_;
};

}  // namespace gsx::app
