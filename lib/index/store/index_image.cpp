#include "index/store/index_image.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/error.hpp"
#include "base/messages.hpp"

namespace gsx {
namespace {

/// A file that is open for reading.
class Descriptor {
 public:
  // O_NONBLOCK: opening a FIFO must not wait; the caller refuses it.
  explicit Descriptor(const std::string& path)
      : number_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (number_ < 0) throw_system_error("open", path, errno);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(number_); }
  int number() const { return number_; }

 private:
  int number_;
};

}  // namespace

IndexImage IndexImage::read(const std::string& path) {
  const Descriptor file(path);
  struct stat status {};
  if (fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode)) {
    throw RuntimeError("cannot open '" + printable(path) + "': not a regular file");
  }
  Buffer<std::uint8_t> bytes(static_cast<std::size_t>(status.st_size), "an index");
  constexpr std::size_t at_once = std::size_t{1} << 30;
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t count =
        ::read(file.number(), bytes.data() + done, std::min(at_once, bytes.size() - done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw_system_error("read", path, errno);
    if (count == 0) {
      throw RuntimeError("cannot read '" + printable(path) +
                         "': it became shorter while it was read");
    }
    done += static_cast<std::size_t>(count);
  }
  return IndexImage(std::move(bytes));
}

std::span<const std::uint8_t> IndexImage::bytes() const {
  if (const MappedFile* mapped = file()) return mapped->bytes();
  return std::get<Buffer<std::uint8_t>>(bytes_).span();
}

}  // namespace gsx
