#include "bytes/output.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <set>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "bytes/output_place.hpp"
#include "bytes/removal.hpp"
#include "bytes/replaceable_file.hpp"
#include "bytes/reserved_copy.hpp"
#include "bytes/temporary_name.hpp"

namespace gsx {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 20;
/// Bytes after which the system is asked to start writing to the disk, so that commit() has little
/// left to flush: 0.39 s instead of 0.60 s for 1 GB on a disk of 2.7 GB/s. Several threads that
/// write() to one file gain nothing on ext4 and tmpfs: the kernel admits one at a time.
constexpr std::uint64_t writeback_bytes = std::uint64_t{16} << 20;
/// Fewer bytes are not worth starting threads for.
constexpr std::uint64_t threads_pay_bytes = std::uint64_t{16} << 20;

/// A duplicate of the descriptor `inherited`, which shares its file offset. A descriptor that
/// closes at exec was not inherited: this program opened it for something else.
int own_descriptor(int inherited, const std::string& shown) {
  const int flags = fcntl(inherited, F_GETFD), mode = fcntl(inherited, F_GETFL);
  if (flags < 0 || (flags & FD_CLOEXEC) != 0 || mode < 0 || (mode & O_ACCMODE) == O_RDONLY) {
    throw_system_error("write to", shown, EBADF);
  }
  const int fd = fcntl(inherited, F_DUPFD_CLOEXEC, 3);
  if (fd < 0) throw_system_error("write to", shown, errno);
  return fd;
}

/// Gives a new file the group and the mode of the file that it will replace. If it cannot get the
/// group, its mode stays as the umask sets it: the old mode would grant access to another group.
void take_over(int fd, const struct stat& replaced) {
  struct stat made {};
  if (fstat(fd, &made) != 0) return;
  if (made.st_gid != replaced.st_gid && fchown(fd, uid_t(-1), replaced.st_gid) != 0) return;
  (void)!fchmod(fd, replaced.st_mode & 0777);
}

void sync_folder_of(const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path();
  const int fd = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  // Some file systems refuse to sync a folder. The rename has already succeeded.
  (void)!fsync(fd);
  close(fd);
}

/// Whether a name ends in `suffix`, in either case. Pre: `suffix` is in lower case.
bool has_suffix(std::string_view name, std::string_view suffix) {
  const auto same = [](char c, char lower) {
    return (c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c) == lower;
  };
  return name.size() >= suffix.size() &&
         std::ranges::equal(name.substr(name.size() - suffix.size()), suffix, same);
}

std::function<void()>& terminal_hook() {
  static std::function<void()> hook;
  return hook;
}

std::function<void(const std::string&, Encoding)>& opening_hook() {
  static std::function<void(const std::string&, Encoding)> hook;
  return hook;
}

/// Tells the program that an output of that name will be written.
void announce(const std::string& name, Encoding encoding) {
  if (opening_hook()) opening_hook()(name, encoding);
}

}  // namespace

Encoding encoding_for(std::string_view path) {
  for (const char* suffix : {".gz", ".bgz"})
    if (has_suffix(path, suffix)) return Encoding::bgzf;
  for (const char* suffix : {".bz2", ".xz", ".zst", ".lz4", ".zip"}) {
    if (has_suffix(path, suffix))
      throw UsageError("'" + printable(path) + "': gsx does not compress to " + suffix +
                       "; name a file that ends in .gz or .bgz, which are BGZF, or use a pipe");
  }
  return Encoding::plain;
}

void Output::before_terminal(std::function<void()> hook) {
  terminal_hook() = std::move(hook);
}

void Output::before_opening(std::function<void(const std::string& name, Encoding)> hook) {
  opening_hook() = std::move(hook);
}

Output::Output(std::string path, Encoding encoding, int threads) : path_(std::move(path)) {
  announce(path_, encoding);
  if (encoding == Encoding::bgzf) blocks_.emplace(threads);
  buffer_.reserve(buffer_bytes);
  const OutputPlace place = OutputPlace::of(path_);
  if (place.descriptor) {
    if (*place.descriptor == STDOUT_FILENO) path_ = "standard output";
    fd_ = own_descriptor(*place.descriptor, path_);
    terminal_ = isatty(fd_) == 1;
    return;
  }
  struct stat status {};
  const bool exists = stat(path_.c_str(), &status) == 0;
  // Report it now: a name that is too long, for example, would otherwise fail only at the rename.
  if (!exists && errno != ENOENT) throw_system_error("write to", path_, errno);
  if (exists && S_ISDIR(status.st_mode)) throw_system_error("write to", path_, EISDIR);
  if (exists && !S_ISREG(status.st_mode)) {
    fd_ = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd_ < 0) throw_system_error("write to", path_, errno);
    terminal_ = isatty(fd_) == 1;
    return;
  }
  path_ = place.path;
  if (has_temporary_form(std::filesystem::path(path_).filename().string())) {
    throw UsageError("'" + printable(path_) +
                     "' has the form of gsx's own temporary files, which it removes; choose "
                     "another name for the output");
  }
  if (exists && access(path_.c_str(), W_OK) != 0) throw_system_error("write to", path_, errno);
  if (exists) require_replaceable_file(path_, status, !blocks_);
  temporary_.emplace(path_, exists ? status.st_mode & 0777 : 0666);
  fd_ = temporary_->descriptor();
  if (exists) take_over(fd_, status);
}

Output::~Output() {
  if (!temporary_ && fd_ >= 0) close(fd_);
}

void Output::write_all(const char* bytes, std::size_t count) {
  if (check_ && count > 0) check_();
  if (terminal_ && count > 0 && terminal_hook()) terminal_hook()();
  while (count > 0) {
    const ssize_t done = ::write(fd_, bytes, std::min<std::size_t>(count, writeback_bytes));
    if (done < 0) {
      if (errno == EINTR) continue;
      if (errno == EPIPE) {
        throw BrokenPipe("cannot write to '" + printable(path_) +
                         "': the reader of the pipe has gone");
      }
      throw_system_error("write to", path_, errno);
    }
    bytes += done;
    count -= static_cast<std::size_t>(done);
    written_ += static_cast<std::uint64_t>(done);
    start_writeback();
  }
}

void Output::reserve(std::uint64_t bytes) {
  struct statfs system {};
  if (!temporary_ || blocks_ || fstatfs(fd_, &system) != 0 || system.f_type != TMPFS_MAGIC) return;
  if (system.f_bavail * static_cast<std::uint64_t>(system.f_bsize) < bytes) return;
  // In steps, since a signal undoes a step: 0.26 s per GB, and writing then takes 0.14 s, not 0.37.
  for (std::uint64_t done = 0; done < bytes;) {
    const std::uint64_t step = std::min(writeback_bytes, bytes - done);
    if (fallocate(fd_, FALLOC_FL_KEEP_SIZE, static_cast<off_t>(done), static_cast<off_t>(step)) ==
        0) {
      done += step;
      reserved_ = done;
    } else if (errno != EINTR) {
      return;  // write() will say what is wrong
    }
  }
}

void Output::start_writeback() {
  if (!temporary_ || written_ - given_to_disk_ < writeback_bytes) return;
  // Only a request: fsync reports any failure.
  (void)!sync_file_range(fd_, static_cast<off64_t>(given_to_disk_),
                         static_cast<off64_t>(written_ - given_to_disk_), SYNC_FILE_RANGE_WRITE);
  given_to_disk_ = written_;
}

void Output::flush() {
  if (blocks_) blocks_->flush([this](std::string_view some) { append(some); });
  write_buffer();
}

void Output::write_buffer() {
  write_all(buffer_.data(), buffer_.size());
  buffer_.clear();
}

void Output::flush_stream() {
  if (!temporary_ && !blocks_ && !buffer_.empty()) flush();
}

void Output::write(std::string_view bytes) {
  offset_ += bytes.size();
  if (!blocks_) return append(bytes);
  blocks_->add(bytes, [this](std::string_view some) { append(some); });
}

void Output::write_on_threads(std::string_view bytes, int threads) {
  if (threads < 2 || bytes.size() < threads_pay_bytes || offset_ + bytes.size() > reserved_)
    return write(bytes);
  flush();
  if (check_) check_();
  const std::uint64_t end = written_ + bytes.size();
  if (ftruncate(fd_, static_cast<off_t>(end)) != 0) throw_system_error("write to", path_, errno);
  // write() goes on at the descriptor's position: if there is no mapping, over the same bytes.
  if (!copy_to_reserved(fd_, written_, bytes, threads)) return write(bytes);
  if (lseek(fd_, static_cast<off_t>(end), SEEK_SET) < 0)
    throw_system_error("write to", path_, errno);
  offset_ += bytes.size();
  written_ = end;
}

void Output::replace(std::uint64_t offset, std::string_view bytes) {
  flush();
  if (check_) check_();
  while (!bytes.empty()) {
    const ssize_t done = pwrite(fd_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (done < 0) {
      if (errno == EINTR) continue;
      throw_system_error("write to", path_, errno);
    }
    bytes.remove_prefix(static_cast<std::size_t>(done));
    offset += static_cast<std::uint64_t>(done);
  }
}

void Output::append(std::string_view bytes) {
  if (buffer_.size() + bytes.size() > buffer_bytes) write_buffer();
  if (bytes.size() >= buffer_bytes) {
    write_all(bytes.data(), bytes.size());
  } else {
    buffer_ += bytes;
  }
}

void Output::finish() {
  if (fd_ < 0) return;
  if (blocks_) blocks_->finish([this](std::string_view some) { append(some); });
  write_buffer();
  std::string().swap(buffer_);  // finished shards wait for the last one
  if (check_) check_();
  const int fd = std::exchange(fd_, -1);
  if (!temporary_) {
    if (close(fd) != 0) throw_system_error("write to", path_, errno);
    return;
  }
  if (fsync(fd) != 0) throw_system_error("write to", path_, errno);
  temporary_->close();
}

void Output::rename(std::string path) {
  announce(path, blocks_ ? Encoding::bgzf : Encoding::plain);
  path_ = std::move(path);
  temporary_->set_path(path_);
}

/// Gives the file its name. Pre: it is no stream, and finished.
void Output::take_name() {
  temporary_->rename();
  temporary_.reset();
}

void Output::commit() {
  finish();
  if (!temporary_) return;
  take_name();
  sync_folder_of(path_);
}

void commit_all(std::span<Output* const> outputs) {
  std::vector<Output*> files;
  for (Output* const output : outputs) {
    if (output == nullptr) continue;
    output->finish();
    if (output->temporary_) files.push_back(output);
  }
  {
    const SignalsHeld held;
    for (Output* const file : files)
      file->take_name();
  }
  std::set<std::filesystem::path> synced;
  for (const Output* const file : files) {
    if (synced.insert(std::filesystem::path(file->path_).parent_path()).second)
      sync_folder_of(file->path_);
  }
}

}  // namespace gsx
