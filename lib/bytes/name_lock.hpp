// One process at a time replaces the file of a name.
#pragma once

#include <functional>
#include <string>

namespace gsx {

/// Holds a name: other processes that ask for the same one wait until this ends, by a lock (flock)
/// on the file that has the name, and then on the file that has it by then. Where there is no file,
/// the folder is locked. So nothing is left beside the file, and the lock of a process that is
/// killed ends with it. What is no regular file has no lock.
class NameLock {
 public:
  /// Waits for the name; calls `waits` before, if it has to. If the file system has no locks, it
  /// goes on without one. On a network disk, a folder is locked for one machine only.
  explicit NameLock(const std::string& path, const std::function<void()>& waits = {});
  ~NameLock();
  NameLock(const NameLock&) = delete;
  NameLock& operator=(const NameLock&) = delete;

  /// errno of a lock that could not be had; 0 if it is held.
  int problem() const { return problem_; }

 private:
  int fd_ = -1;
  int problem_ = 0;
};

}  // namespace gsx
