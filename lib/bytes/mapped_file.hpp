// Maps a file as read-only memory.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/export.hpp"

namespace gsx {

/// What the system records about changes of a file.
struct FileStamp {
  std::int64_t size = -1;
  std::int64_t modified = 0, modified_nanoseconds = 0;  ///< of the content
  std::int64_t changed = 0, changed_nanoseconds = 0;    ///< of content, mode, links or name

  bool operator==(const FileStamp&) const = default;
  bool has_content_of(const FileStamp& other) const {
    return size == other.size && modified == other.modified &&
           modified_nanoseconds == other.modified_nanoseconds;
  }
};

/// Whether a file was written to while this process had it mapped: what was read from it may then
/// be anything, and so may be the failure that follows. Async-signal-safe.
GSX_API bool has_written_map() noexcept;

/// Owns a private, read-only mapping of a regular file. Can only be moved.
class GSX_API MappedFile {
 public:
  MappedFile() = default;
  /// Throws RuntimeError (or ResourceError) with the system's reason, and RuntimeError for anything
  /// that is not a regular file. An empty file maps to an empty span.
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::uint8_t> bytes() const { return {data_, size_}; }

  /// stamp() is that of the file when it was opened; stamp_now() is that of the same file now,
  /// whatever file has its name. The mapped bytes change if another process writes to the file.
  const FileStamp& stamp() const { return stamp_; }
  FileStamp stamp_now() const;

 private:
  struct Watched;

  void release() noexcept;
  friend bool has_written_map() noexcept;

  const std::uint8_t* data_ = nullptr;
  std::size_t size_ = 0;
  int descriptor_ = -1;
  FileStamp stamp_;
  Watched* watched_ = nullptr;
};

}  // namespace gsx
