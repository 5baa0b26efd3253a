// Files that bear a temporary name until they are complete.
#pragma once

#include <sys/types.h>

#include <string>

namespace gsx {

/// A new file `PATH.tmp.<pid>` (`PATH.tmp.<pid>-2`, ... where that name is taken), open for writing
/// and locked (flock) for as long as its maker lives; removed at the end unless renamed.
///
/// The lock tells a file in work from one that a killed run left behind, whatever has become of its
/// process number, in a container or on another machine: the next file for the same PATH removes
/// those that it can lock. Where the file system has no locks, nothing is removed.
class TemporaryFile {
 public:
  /// Removes what dead runs left for `path`, then creates. An existing file or link is never
  /// opened. Throws RuntimeError or ResourceError.
  TemporaryFile(const std::string& path, mode_t mode);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  int descriptor() const { return fd_; }
  const std::string& name() const { return name_; }
  /// Closes the descriptor. Throws RuntimeError or ResourceError for what was not written.
  void close();
  /// Gives the file its final name, replacing what has it. Throws RuntimeError.
  void rename();

 private:
  bool create(mode_t mode);

  std::string path_;
  std::string name_;  ///< empty once renamed
  int fd_ = -1;
  int lock_ = -1;  ///< another descriptor of the same open file, so that close() keeps the lock
};

/// A file or an empty folder that goes away with its owner, or when a signal ends the process.
class RemovedPath {
 public:
  /// `path` need not exist yet.
  explicit RemovedPath(std::string path);
  ~RemovedPath();
  RemovedPath(const RemovedPath&) = delete;
  RemovedPath& operator=(const RemovedPath&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// Removes the temporary files and folders of this process; async-signal-safe, for use by a handler
/// of SIGINT or SIGTERM just before the process ends. Their owners, should they notice, wait for
/// that end.
void remove_temporary_files() noexcept;

}  // namespace gsx
