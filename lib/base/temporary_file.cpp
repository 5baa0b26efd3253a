#include "base/temporary_file.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <deque>
#include <filesystem>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"

namespace gsx {
namespace {

constexpr std::string_view mark = ".tmp.";

/// Paths a signal handler must remove: a few fixed slots of plain C strings, because a handler may
/// neither lock nor allocate.
constexpr int slots = 8;
std::atomic<const char*> temporary_paths[slots];
std::atomic<bool> ending{false};

/// A string that is never freed, since a handler may be about to use it.
const char* keep(const std::string& path) {
  static std::mutex mutex;
  static std::deque<std::string> kept;
  const std::lock_guard lock(mutex);
  return kept.emplace_back(path).c_str();
}

void remember(const std::string& path) {
  const char* kept = keep(path);
  for (auto& slot : temporary_paths) {
    const char* expected = nullptr;
    if (slot.compare_exchange_strong(expected, kept)) return;
  }
}

void forget(const std::string& path) {
  for (auto& slot : temporary_paths) {
    const char* known = slot.load();
    if (known != nullptr && path == known && slot.compare_exchange_strong(known, nullptr)) return;
  }
}

/// A handler that ends the process has removed the file: say nothing of that, and wait.
void wait_if_ending() {
  while (ending)
    pause();
}

bool is_same_file(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Whether `name` is `base`.tmp.NUMBER or `base`.tmp.NUMBER-NUMBER.
bool is_temporary_name(std::string_view name, std::string_view base) {
  if (!name.starts_with(base) || !name.substr(base.size()).starts_with(mark)) return false;
  const std::string_view number = name.substr(base.size() + mark.size());
  const std::size_t dash = number.find('-');
  return is_number(number.substr(0, dash)) &&
         (dash == std::string_view::npos || is_number(number.substr(dash + 1)));
}

/// Removes the file, if it is one of ours that no living process has locked.
bool remove_if_dead(int folder, const char* name) {
  const int fd = openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return false;
  struct stat opened {
  }, named{};
  const bool dead = fstat(fd, &opened) == 0 && S_ISREG(opened.st_mode) &&
                    opened.st_uid == geteuid() && flock(fd, LOCK_EX | LOCK_NB) == 0 &&
                    fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
                    is_same_file(opened, named) && unlinkat(folder, name, 0) == 0;
  close(fd);
  return dead;
}

void remove_dead_files(const std::string& path) {
  const std::filesystem::path whole(path);
  const std::string folder = whole.has_parent_path() ? whole.parent_path().string() : ".";
  const std::string base = whole.filename().string();
  DIR* listing = opendir(folder.c_str());
  if (listing == nullptr) return;  // creating the file will say why
  while (const dirent* entry = readdir(listing)) {
    if (is_temporary_name(entry->d_name, base) && remove_if_dead(dirfd(listing), entry->d_name)) {
      log().info("removed {}, which a run that was killed has left", printable(entry->d_name));
    }
  }
  closedir(listing);
}

/// Locks a file just made. It can be locked already only by one who takes it for a dead one's, and
/// only for a moment; without a lock the file is as good, but nobody will remove it if we die.
void lock_new(int fd) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    if (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace

TemporaryFile::TemporaryFile(const std::string& path, mode_t mode) : path_(path) {
  remove_dead_files(path);
  const std::string first = path + std::string(mark) + std::to_string(getpid());
  constexpr int most = 1000;
  for (int number = 1; number <= most; ++number) {
    name_ = number == 1 ? first : first + '-' + std::to_string(number);
    if (create(mode)) return;
  }
  throw_system_error("create", path_, EEXIST);
}

/// False when the name is taken, by a link too, or was taken away as soon as the file had it.
bool TemporaryFile::create(mode_t mode) {
  remember(name_);  // before the file exists: a signal may come right after
  fd_ = open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  const int number = errno;
  if (fd_ < 0) {
    forget(name_);
    if (number == EEXIST) return false;
    throw_system_error("create", path_, number);
  }
  lock_new(fd_);
  struct stat status {};
  if (fstat(fd_, &status) == 0 && status.st_nlink == 0) {
    forget(name_);
    ::close(fd_);
    return false;
  }
  lock_ = fcntl(fd_, F_DUPFD_CLOEXEC, 3);
  return true;
}

TemporaryFile::~TemporaryFile() {
  if (!name_.empty()) {
    unlink(name_.c_str());
    forget(name_);
  }
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
    throw RuntimeError("cannot finish '" + printable(path_) + "': somebody has taken away '" +
                       printable(name_) + "'");
  }
  if (::rename(name_.c_str(), path_.c_str()) != 0) {
    const int number = errno;
    wait_if_ending();
    throw_system_error("rename the finished file to", path_, number);
  }
  forget(name_);
  name_.clear();
}

RemovedPath::RemovedPath(std::string path) : path_(std::move(path)) {
  remember(path_);
}

RemovedPath::~RemovedPath() {
  if (unlink(path_.c_str()) != 0) rmdir(path_.c_str());
  forget(path_);
}

void remove_temporary_files() noexcept {
  ending = true;
  for (auto& slot : temporary_paths) {
    if (const char* path = slot.load()) unlink(path);
  }
  for (auto& slot : temporary_paths) {  // folders, empty by now
    if (const char* path = slot.load()) rmdir(path);
  }
}

}  // namespace gsx
