#include "io/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
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
}

void MappedFile::release() noexcept {
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
      stamp_(other.stamp_) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  if (this == &other) return *this;
  release();
  data_ = std::exchange(other.data_, nullptr);
  size_ = std::exchange(other.size_, 0);
  descriptor_ = std::exchange(other.descriptor_, -1);
  stamp_ = other.stamp_;
  return *this;
}

FileStamp MappedFile::stamp_now() const {
  struct stat status {};
  return fstat(descriptor_, &status) == 0 ? stamp_of(status) : FileStamp{};
}

}  // namespace gsx
