#include "bytes/scratch_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "bytes/removal.hpp"

namespace gsx {
namespace {

/// Most bytes per system call.
constexpr std::uint64_t most_at_once = std::uint64_t{16} << 20;

}  // namespace

ScratchFile::~ScratchFile() {
  if (fd_ >= 0) ::close(fd_);
}

void ScratchFile::fail(const std::string& action, int number) const {
  const std::string what = "cannot " + action + " a temporary file in the folder '" +
                           printable(place_.path) + "': " + std::strerror(number) + "; " +
                           (place_.set_by.empty() ? "choose" : "set " + place_.set_by + " to") +
                           " a folder with room";
  if (number == ENOSPC || number == EDQUOT || number == EFBIG || number == ENOMEM)
    throw ResourceError(what);
  throw RuntimeError(what);
}

void ScratchFile::open() {
  fd_ = ::open(place_.path.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (fd_ >= 0) return;
  if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL) fail("make", errno);
  // The file system has no unnamed files: create one and unlink it at once.
  std::string path = place_.path + "/gsx-sort-XXXXXX";
  int number = 0;
  {
    const SignalsHeld held;  // a signal in between would leave the file
    fd_ = mkostemp(path.data(), O_CLOEXEC);
    number = errno;
    if (fd_ >= 0) unlink(path.c_str());
  }
  if (fd_ < 0) fail("make", number);
}

std::uint64_t ScratchFile::reserve(std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  if (fd_ < 0) open();
  const std::uint64_t offset = size_;
  size_ += bytes;
  return offset;
}

void ScratchFile::write(std::uint64_t offset, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t done =
        pwrite(fd_, bytes.data(), std::min<std::uint64_t>(bytes.size(), most_at_once),
               static_cast<off_t>(offset));
    if (done < 0) {
      if (errno == EINTR) continue;
      fail("write", errno);
    }
    bytes.remove_prefix(static_cast<std::size_t>(done));
    offset += static_cast<std::uint64_t>(done);
  }
}

void ScratchFile::read(std::uint64_t offset, char* bytes, std::uint64_t count) const {
  while (count > 0) {
    const ssize_t done =
        pread(fd_, bytes, std::min(count, most_at_once), static_cast<off_t>(offset));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) fail("read", done < 0 ? errno : EIO);
    bytes += done;
    offset += static_cast<std::uint64_t>(done);
    count -= static_cast<std::uint64_t>(done);
  }
}

}  // namespace gsx
