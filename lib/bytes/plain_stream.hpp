// The bytes of a file as they are.
#pragma once

#include <htslib/hfile.h>

#include <cerrno>

#include "bytes/byte_stream.hpp"
#include "bytes/source_error.hpp"

namespace gsx {

class PlainStream final : public ByteStream {
 public:
  /// Pre: `file` outlives this.
  explicit PlainStream(hFILE& file) : file_(file) {}

  std::size_t read(char* to, std::size_t count) override {
    const ssize_t done = hread(&file_, to, count);
    if (done < 0) fail_with_errno(errno);
    read_ += static_cast<std::uint64_t>(done);
    return static_cast<std::size_t>(done);
  }
  std::uint64_t position() const override { return read_; }

 private:
  hFILE& file_;
  std::uint64_t read_ = 0;
};

}  // namespace gsx
