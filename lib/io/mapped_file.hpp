// A file as read-only memory.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/export.hpp"

namespace gsx {

/// What the system notes of a file's changes.
struct FileStamp {
  std::int64_t size = -1;
  std::int64_t modified = 0, modified_nanoseconds = 0;  ///< content
  std::int64_t changed = 0, changed_nanoseconds = 0;    ///< content, or mode, links or name

  bool operator==(const FileStamp&) const = default;
  bool has_content_of(const FileStamp& other) const {
    return size == other.size && modified == other.modified &&
           modified_nanoseconds == other.modified_nanoseconds;
  }
};

/// Owns a private, read-only mapping of a regular file; moves only.
class GSX_API MappedFile {
 public:
  MappedFile() = default;
  /// Throws RuntimeError (or ResourceError) with the system's reason; an empty file maps to an
  /// empty span. Throws RuntimeError for anything that is not a regular file.
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::uint8_t> bytes() const { return {data_, size_}; }

  /// Of the file when it was opened, and of the same file now, whatever has its name. The bytes
  /// are those of the file at any time: who writes to it changes them.
  const FileStamp& stamp() const { return stamp_; }
  FileStamp stamp_now() const;

 private:
  void release() noexcept;

  const std::uint8_t* data_ = nullptr;
  std::size_t size_ = 0;
  int descriptor_ = -1;
  FileStamp stamp_;
};

}  // namespace gsx
