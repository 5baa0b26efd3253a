// Tells whether a name still leads to the same file with the same content.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <string>

namespace gsx {

/// A file as the system knows it, and when it was last written to. The number of a file that was
/// removed may be given to the next one, so size and time count, too.
struct FileIdentity {
  std::uint64_t device = 0, inode = 0;
  std::int64_t size = -1;  ///< -1: there is no file
  std::int64_t modified = 0, modified_nanoseconds = 0;

  bool operator==(const FileIdentity&) const = default;

  /// The identity of what the name leads to, also by a link.
  static FileIdentity of(const std::string& path) {
    struct stat found {};
    if (stat(path.c_str(), &found) != 0) return {};
    return {found.st_dev, found.st_ino, found.st_size, found.st_mtim.tv_sec, found.st_mtim.tv_nsec};
  }
};

}  // namespace gsx
