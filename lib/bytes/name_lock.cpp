#include "bytes/name_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "bytes/output_place.hpp"

namespace gsx {
namespace {

/// Opens the file, or else its folder. NFS locks only what is open for writing.
int open_to_lock(const std::string& path, const std::string& folder) {
  const int flags = O_NONBLOCK | O_NOCTTY | O_CLOEXEC;  // never waits for the writer of a FIFO
  int fd = open(path.c_str(), O_RDWR | flags);
  if (fd < 0 && errno != ENOENT) fd = open(path.c_str(), O_RDONLY | flags);
  if (fd < 0 && errno == ENOENT) fd = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  return fd;
}

/// Returns 0 or errno.
int lock(int fd, const std::function<void()>& waits) {
  if (flock(fd, LOCK_EX | LOCK_NB) == 0) return 0;
  if (errno == EWOULDBLOCK && waits) waits();
  while (errno == EWOULDBLOCK || errno == EINTR)
    if (flock(fd, LOCK_EX) == 0) return 0;
  return errno;
}

/// Whether the name leads to this open file, or if that is a folder, to none.
bool is_of(int fd, const std::string& path) {
  struct stat opened {
  }, named{};
  if (fstat(fd, &opened) != 0) return false;
  const bool found = stat(path.c_str(), &named) == 0;
  if (S_ISDIR(opened.st_mode)) return !found;
  return found && opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

}  // namespace

NameLock::NameLock(const std::string& path, const std::function<void()>& waits) {
  const OutputPlace place = OutputPlace::of(path);
  struct stat found {};
  const bool is_stream = stat(place.path.c_str(), &found) == 0 && !S_ISREG(found.st_mode);
  if (place.descriptor || is_stream) return;
  const std::string parent = std::filesystem::path(place.path).parent_path().string();
  bool told = false;
  const auto tell = [&] {
    if (waits && !told) waits();
    told = true;
  };
  for (;;) {
    fd_ = open_to_lock(place.path, parent.empty() ? "." : parent);
    problem_ = fd_ < 0 ? errno : lock(fd_, tell);
    // Who held it may have given the name to another file.
    if (problem_ != 0 || is_of(fd_, place.path)) return;
    close(fd_);
  }
}

NameLock::~NameLock() {
  if (fd_ >= 0) close(fd_);
}

}  // namespace gsx
