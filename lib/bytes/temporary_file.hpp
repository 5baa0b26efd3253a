// Files and folders with temporary names: until they are complete, or for as long as they are
// needed.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <utility>

#include "bytes/removal.hpp"

namespace gsx {

/// A new file beside PATH, named by temporary_name(), open for writing, and locked (flock) while
/// this lives. The destructor removes it unless it was renamed.
///
/// The next file for the same PATH removes what killed runs have left, and only that. The name
/// proves that gsx made the file on this machine since it was booted. The process that made it must
/// be gone; if it ran in another container, where pids differ, its lock must be gone.
class TemporaryFile {
 public:
  /// Removes what killed runs have left for `path`, then creates the file. Never opens an existing
  /// file or link. Throws RuntimeError or ResourceError.
  TemporaryFile(const std::string& path, mode_t mode);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  int descriptor() const { return fd_; }
  const std::string& name() const { return name_; }
  /// Closes the descriptor. Throws RuntimeError or ResourceError if bytes could not be written.
  void close();
  /// Sets another final name, in the same folder.
  void set_path(std::string path) { path_ = std::move(path); }
  /// Gives the file its final name and replaces any file of that name. Throws RuntimeError.
  void rename();

 private:
  bool create(mode_t mode);

  std::string path_;
  std::string name_;  ///< empty once renamed
  std::optional<SignalRemoval> removal_;
  int fd_ = -1;
  int lock_ = -1;  ///< another descriptor of the same open file, so that close() keeps the lock
};

/// A new folder that no other user can write to, named by temporary_name() for `base`. The
/// destructor removes it and its files; if the process was killed, the next folder for `base` does.
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

/// A path that this object owns, whether or not the file exists yet. The destructor removes the
/// file; so does a signal that ends the process.
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
