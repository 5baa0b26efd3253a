// Files and folders that bear a temporary name until they are complete, or for as long as needed.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "io/removal.hpp"

namespace gsx {

/// A new file beside PATH, with a name of temporary_name(), open for writing and locked (flock) for
/// as long as its maker lives; removed at the end unless renamed.
///
/// The next file for the same PATH removes what killed runs have left, and only that: the name
/// proves that gsx made the file on this machine since it was started; the process that made it is
/// gone, or, where it counted its processes in another container, its lock is.
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
  std::optional<SignalRemoval> removal_;
  int fd_ = -1;
  int lock_ = -1;  ///< another descriptor of the same open file, so that close() keeps the lock
};

/// A new folder that nobody else can write to, with a name of temporary_name() for `base`; removed
/// with the files in it at the end, and by the next folder for `base` if its maker was killed.
class ScratchFolder {
 public:
  /// Throws RuntimeError or ResourceError.
  ScratchFolder(const std::string& parent, const std::string& base);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  bool create(const std::string& parent);

  std::string path_;
  std::optional<SignalRemoval> removal_;
  int lock_ = -1;
};

/// A file of ours, there or not there yet, that goes away with its owner, or when a signal ends the
/// process.
class RemovedFile {
 public:
  explicit RemovedFile(std::string path);
  ~RemovedFile();
  RemovedFile(const RemovedFile&) = delete;
  RemovedFile& operator=(const RemovedFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  SignalRemoval removal_;
};

}  // namespace gsx
