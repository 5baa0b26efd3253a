// Reads the records of an index file without the rest of the file.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "bytes/mapped_file.hpp"
#include "text/text.hpp"

namespace gsx {

/// Whether the file begins with the magic of an index; the index may be of any version, or
/// truncated.
bool begins_as_index(const std::string& path);

/// Names, lengths and checksums of the records of an index. Can only be moved.
class IndexedRecords {
 public:
  /// Checks the header and the sections that it reads, and no others. Throws ForeignIndexError for
  /// another format version, CorruptIndexError for a damaged file. Cost: one pass over those
  /// sections.
  static IndexedRecords open(const std::string& path, int threads);

  std::uint64_t size() const { return infos_.size(); }
  std::string_view name(std::uint64_t record) const;
  std::uint64_t length(std::uint64_t record) const { return infos_[record].length; }
  const RecordChecksum& checksum(std::uint64_t record) const { return infos_[record].checksum; }

  /// How the records differ from `others` in name or length; describes the first that does.
  std::optional<std::string> difference(const RecordsView& others) const;
  /// How the records differ from `others` in checksums. Pre: names and lengths agree, and `others`
  /// has checksums.
  std::optional<std::string> symbols_difference(const RecordsView& others) const;

 private:
  IndexedRecords() = default;

  MappedFile file_;
  std::span<const RecordInfo> infos_;
  std::string_view names_;
  std::span<const std::uint64_t> name_ends_;
};

}  // namespace gsx
