#include "bytes/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <new>
#include <utility>

#include "base/error.hpp"
#include "base/messages.hpp"

namespace gsx {
namespace {

FileStamp stamp_of(const struct stat& status) {
  return {status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec,
          status.st_ctim.tv_nsec};
}

}  // namespace

/// An entry of a list that only grows, because a signal handler may be reading it. Those of files
/// that are no longer mapped have no descriptor, and are used again.
struct MappedFile::Watched {
  std::atomic<int> descriptor{free};
  FileStamp stamp;
  Watched* next = nullptr;

  static constexpr int free = -1, taken = -2;
  static inline std::atomic<Watched*> first{nullptr};
  static inline std::atomic<bool> any_written{false};  ///< of those that are no longer mapped

  /// Null if there is no memory: the file is then not watched.
  static Watched* take() noexcept {
    for (Watched* entry = first; entry != nullptr; entry = entry->next) {
      int expected = free;
      if (entry->descriptor.compare_exchange_strong(expected, taken)) return entry;
    }
    auto* const made = new (std::nothrow) Watched;
    if (made == nullptr) return nullptr;
    made->descriptor = taken;
    made->next = first;
    while (!first.compare_exchange_weak(made->next, made)) {
    }
    return made;
  }
  bool is_written() const noexcept {
    struct stat status {};
    const int file = descriptor;
    return file >= 0 && fstat(file, &status) == 0 && !stamp_of(status).has_content_of(stamp);
  }
};

bool has_written_map() noexcept {
  using Watched = MappedFile::Watched;
  if (Watched::any_written) return true;
  for (const Watched* entry = Watched::first; entry != nullptr; entry = entry->next)
    if (entry->is_written()) return true;
  return false;
}

MappedFile::MappedFile(const std::string& path) {
  // O_NONBLOCK: opening a FIFO must fail below, not wait for a writer.
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) throw_system_error("open", path, errno);
  struct stat status {};
  if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
    close(fd);
    throw RuntimeError("cannot open '" + printable(path) + "': not a regular file");
  }
  size_ = static_cast<std::size_t>(status.st_size);
  if (size_ > 0) {
    void* mapped = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, fd, 0);
    const int number = errno;
    if (mapped == MAP_FAILED) {
      close(fd);
      throw_system_error("map", path, number);
    }
    data_ = static_cast<const std::uint8_t*>(mapped);
  }
  descriptor_ = fd;
  stamp_ = stamp_of(status);
  watched_ = Watched::take();
  if (watched_ == nullptr) return;
  watched_->stamp = stamp_;
  watched_->descriptor = fd;
}

void MappedFile::release() noexcept {
  if (watched_ != nullptr) {
    if (watched_->is_written()) Watched::any_written = true;
    watched_->descriptor = Watched::free;
  }
  if (data_ != nullptr) munmap(const_cast<std::uint8_t*>(data_), size_);
  if (descriptor_ >= 0) close(descriptor_);
}

MappedFile::~MappedFile() {
  release();
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      stamp_(other.stamp_),
      watched_(std::exchange(other.watched_, nullptr)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  if (this == &other) return *this;
  release();
  data_ = std::exchange(other.data_, nullptr);
  size_ = std::exchange(other.size_, 0);
  descriptor_ = std::exchange(other.descriptor_, -1);
  stamp_ = other.stamp_;
  watched_ = std::exchange(other.watched_, nullptr);
  return *this;
}

FileStamp MappedFile::stamp_now() const {
  struct stat status {};
  return fstat(descriptor_, &status) == 0 ? stamp_of(status) : FileStamp{};
}

}  // namespace gsx
