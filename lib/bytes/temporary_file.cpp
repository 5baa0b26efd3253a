#include "bytes/temporary_file.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <thread>
#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/messages.hpp"
#include "bytes/temporary_name.hpp"

namespace gsx {
namespace {

bool is_same_file(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/// Whether no process works on the file of descriptor `fd` any more. The lock alone does not tell:
/// some file systems have no locks, and some keep them per machine.
bool is_left(int fd, const Maker& maker, const Maker& self) {
  const bool same_numbers = maker.pid_namespace == self.pid_namespace;
  if (same_numbers && maker.is_alive()) return false;
  if (flock(fd, LOCK_EX | LOCK_NB) == 0) return true;
  return same_numbers && errno != EWOULDBLOCK;
}

/// Removes a folder that a killed run has left, and the files in it.
bool remove_folder(int parent, const char* name, int fd) {
  DIR* listing = fdopendir(dup(fd));
  if (listing == nullptr) return false;
  while (const dirent* entry = readdir(listing)) {
    struct stat status {};
    if (fstatat(fd, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(status.st_mode)) {
      unlinkat(fd, entry->d_name, 0);
    }
  }
  closedir(listing);
  return unlinkat(parent, name, AT_REMOVEDIR) == 0;
}

/// Removes a file or folder (`type`) if a killed run has left it.
bool remove_if_left(int parent, const char* name, const Maker& maker, const Maker& self,
                    mode_t type) {
  const int flags = type == S_IFDIR ? O_RDONLY | O_DIRECTORY : O_RDWR | O_NONBLOCK;
  const int fd = openat(parent, name, flags | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return false;
  struct stat opened {
  }, named{};
  const bool ours = fstat(fd, &opened) == 0 && (opened.st_mode & S_IFMT) == type &&
                    opened.st_uid == geteuid() && is_left(fd, maker, self) &&
                    fstatat(parent, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
                    is_same_file(opened, named);
  const bool removed =
      ours && (type == S_IFDIR ? remove_folder(parent, name, fd) : unlinkat(parent, name, 0) == 0);
  close(fd);
  return removed;
}

void remove_what_is_left(const std::string& folder, const std::string& base, const Maker& self,
                         mode_t type) {
  DIR* listing = opendir(folder.c_str());
  if (listing == nullptr) return;  // creating the file will report why
  while (const dirent* entry = readdir(listing)) {
    const auto maker = maker_of(entry->d_name, base, self.boot);
    if (maker && remove_if_left(dirfd(listing), entry->d_name, *maker, self, type)) {
      log().info("removed {}, left by a run that was killed", printable(entry->d_name));
    }
  }
  closedir(listing);
}

/// Locks a file or folder that was just created. Only a process that takes it for a leftover can
/// have locked it, and only for a moment.
void lock_new(int fd) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    if (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

std::uint64_t random_number() {
  std::uint32_t number = 0;
  if (getrandom(&number, sizeof number, GRND_NONBLOCK) == sizeof number) return number;
  // Soon after boot there may be no random numbers. If the name is taken, another is tried.
  return static_cast<std::uint32_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}

std::string folder_of(const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path();
  return folder.empty() ? "." : folder.string();
}

constexpr int most_attempts = 1000;

}  // namespace

TemporaryFile::TemporaryFile(const std::string& path, mode_t mode) : path_(path) {
  const Maker self = Maker::self();
  const std::filesystem::path whole(path);
  const std::string base = whole.filename().string();
  remove_what_is_left(folder_of(path), base, self, S_IFREG);
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    name_ = (whole.parent_path() / temporary_name(base, self, random_number())).string();
    if (create(mode)) return;
  }
  throw_system_error("create", path_, EEXIST);
}

/// Returns false if the name is taken, also by a link, or if the file was removed before it was
/// locked.
bool TemporaryFile::create(mode_t mode) {
  removal_.emplace(name_);
  int number = 0;
  {
    const SignalsHeld held;
    // Read, too: a mapping that is written through asks for it.
    fd_ = open(name_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    number = errno;
    if (fd_ >= 0)
      removal_->arm();  // never earlier: a file of that name could belong to someone else
  }
  if (fd_ < 0) {
    removal_.reset();
    if (number == EEXIST) return false;
    throw_system_error("create", path_, number);
  }
  lock_new(fd_);
  struct stat status {};
  if (fstat(fd_, &status) == 0 && status.st_nlink == 0) {
    removal_.reset();
    ::close(fd_);
    return false;
  }
  lock_ = fcntl(fd_, F_DUPFD_CLOEXEC, 3);
  return true;
}

TemporaryFile::~TemporaryFile() {
  if (!name_.empty()) unlink(name_.c_str());
  removal_.reset();
  if (fd_ >= 0) ::close(fd_);
  if (lock_ >= 0) ::close(lock_);
}

void TemporaryFile::close() {
  const int fd = fd_;
  fd_ = -1;
  if (::close(fd) != 0) throw_system_error("write to", path_, errno);
}

void TemporaryFile::rename() {
  struct stat ours {
  }, named{};
  if (lock_ >= 0 && fstat(lock_, &ours) == 0 &&
      (lstat(name_.c_str(), &named) != 0 || !is_same_file(ours, named))) {
    wait_if_ending();
    throw RuntimeError("cannot finish '" + printable(path_) +
                       "': another program has removed its temporary file '" + printable(name_) +
                       "'; run the command again");
  }
  if (::rename(name_.c_str(), path_.c_str()) != 0) {
    const int number = errno;
    wait_if_ending();
    throw_system_error("rename the finished file to", path_, number);
  }
  removal_.reset();
  name_.clear();
}

ScratchFolder::ScratchFolder(const std::string& parent, const std::string& base) {
  const Maker self = Maker::self();
  remove_what_is_left(parent, base, self, S_IFDIR);
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    path_ = (std::filesystem::path(parent) / temporary_name(base, self, random_number())).string();
    if (create(parent)) return;
  }
  throw_system_error("create a folder in", parent, EEXIST);
}

/// Returns false if the name is taken, or if the folder was removed before it was locked.
bool ScratchFolder::create(const std::string& parent) {
  removal_.emplace(path_);
  int number = 0;
  {
    const SignalsHeld held;
    if (mkdir(path_.c_str(), 0700) == 0) {
      removal_->arm();
    } else {
      number = errno;
    }
  }
  if (number == EEXIST) return false;
  if (number != 0) throw_system_error("create a folder in", parent, number);
  lock_ = open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (lock_ < 0) return errno != ENOENT;
  lock_new(lock_);
  struct stat status {};
  if (fstat(lock_, &status) != 0 || status.st_nlink != 0) return true;
  close(std::exchange(lock_, -1));
  return false;
}

ScratchFolder::~ScratchFolder() {
  if (lock_ < 0 || !remove_folder(AT_FDCWD, path_.c_str(), lock_)) rmdir(path_.c_str());
  removal_.reset();
  if (lock_ >= 0) close(lock_);
}

RemovedFile::RemovedFile(std::string path) : path_(std::move(path)), removal_(path_) {
  removal_.arm();
}

RemovedFile::~RemovedFile() {
  unlink(path_.c_str());
}

}  // namespace gsx
