#include "base/output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/error.hpp"

namespace gsx {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 20;
/// The disk is set to work whenever this much is new, so that commit() finds little left to flush:
/// 0.39 s instead of 0.60 s for 1 GB on a disk of 2.7 GB/s. Several threads that write one file
/// gain nothing, on ext4 and on tmpfs: the kernel lets them in one at a time.
constexpr std::uint64_t writeback_bytes = std::uint64_t{16} << 20;

/// Paths a signal handler must remove: a few fixed slots of plain C strings, because a handler may
/// neither lock nor allocate.
constexpr int slots = 8;
std::atomic<const char*> temporary_paths[slots];

void remember(const std::string& path) {
  char* copy = strdup(path.c_str());
  for (auto& slot : temporary_paths) {
    const char* expected = nullptr;
    if (slot.compare_exchange_strong(expected, copy)) return;
  }
  std::free(copy);
}

void forget(const std::string& path) {
  for (auto& slot : temporary_paths) {
    const char* known = slot.load();
    if (known != nullptr && path == known && slot.compare_exchange_strong(known, nullptr)) {
      std::free(const_cast<char*>(known));
      return;
    }
  }
}

/// Symbolic links are followed, so that the file behind a link is replaced and not the link.
std::string final_path(const std::string& path) {
  std::error_code error;
  const auto resolved = std::filesystem::canonical(path, error);
  return error ? path : resolved.string();
}

void sync_folder_of(const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path();
  const int fd = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  // Some file systems refuse to sync a folder; the rename itself has succeeded by now.
  (void)!fsync(fd);
  close(fd);
}

}  // namespace

Output::Output(std::string path) : path_(std::move(path)) {
  buffer_.reserve(buffer_bytes);
  if (path_.empty() || path_ == "-") {
    path_ = "standard output";
    fd_ = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    if (fd_ < 0) throw_system_error("write to", path_, errno);
    return;
  }
  path_ = final_path(path_);
  struct stat status {};
  const bool exists = stat(path_.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) throw_system_error("write to", path_, EISDIR);
  if (exists && !S_ISREG(status.st_mode)) {
    fd_ = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd_ < 0) throw_system_error("write to", path_, errno);
    return;
  }
  if (exists && access(path_.c_str(), W_OK) != 0) throw_system_error("write to", path_, errno);
  temporary_ = path_ + ".tmp." + std::to_string(getpid());
  // O_EXCL: never write through a file or link that somebody else put there; one that is left by a
  // dead process that had our number is removed first.
  unlink(temporary_.c_str());
  remember(temporary_);  // before the file exists: a signal may come right after
  fd_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
             exists ? status.st_mode & 0777 : 0666);
  if (fd_ < 0) {
    const int number = errno;
    forget(temporary_);
    temporary_.clear();
    throw_system_error("create", path_, number);
  }
}

Output::~Output() {
  if (fd_ >= 0) close(fd_);
  if (!temporary_.empty()) {
    unlink(temporary_.c_str());
    forget(temporary_);
  }
}

void Output::write_all(const char* bytes, std::size_t count) {
  while (count > 0) {
    const ssize_t done = ::write(fd_, bytes, std::min<std::size_t>(count, writeback_bytes));
    if (done < 0) {
      if (errno == EINTR) continue;
      if (errno == EPIPE) throw BrokenPipe{};
      throw_system_error("write to", path_, errno);
    }
    bytes += done;
    count -= static_cast<std::size_t>(done);
    written_ += static_cast<std::uint64_t>(done);
    start_writeback();
  }
}

void Output::start_writeback() {
  if (temporary_.empty() || written_ - given_to_disk_ < writeback_bytes) return;
  // Only a request: what goes wrong with it is reported by fsync.
  (void)!sync_file_range(fd_, static_cast<off64_t>(given_to_disk_),
                         static_cast<off64_t>(written_ - given_to_disk_), SYNC_FILE_RANGE_WRITE);
  given_to_disk_ = written_;
}

void Output::flush() {
  write_all(buffer_.data(), buffer_.size());
  buffer_.clear();
}

void Output::write(std::string_view bytes) {
  offset_ += bytes.size();
  if (buffer_.size() + bytes.size() > buffer_bytes) flush();
  if (bytes.size() >= buffer_bytes) {
    write_all(bytes.data(), bytes.size());
  } else {
    buffer_ += bytes;
  }
}

void Output::commit() {
  flush();
  if (!temporary_.empty() && fsync(fd_) != 0) throw_system_error("write to", path_, errno);
  const int fd = fd_;
  fd_ = -1;
  if (close(fd) != 0) throw_system_error("write to", path_, errno);
  if (temporary_.empty()) return;
  if (rename(temporary_.c_str(), path_.c_str()) != 0) {
    throw_system_error("rename the finished file to", path_, errno);
  }
  forget(temporary_);
  temporary_.clear();
  sync_folder_of(path_);
}

void remove_temporary_files() noexcept {
  for (auto& slot : temporary_paths) {
    if (const char* path = slot.load()) unlink(path);
  }
}

}  // namespace gsx
