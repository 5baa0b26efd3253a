#include "seq/gzip_stream.hpp"

#include <htslib/hfile.h>

#include <cerrno>
#include <new>

#include "seq/source_error.hpp"

namespace gsx {
namespace {

constexpr std::size_t packed_bytes = std::size_t{64} << 10;
constexpr std::size_t plain_bytes = std::size_t{256} << 10;
constexpr int gzip_window = 15 + 16;  // the largest, with the header and checks of gzip

}  // namespace

GzipStream::GzipStream(hFILE& file)
    : file_(file),
      packed_(std::make_unique_for_overwrite<unsigned char[]>(packed_bytes)),
      plain_(std::make_unique_for_overwrite<char[]>(plain_bytes)) {
  if (inflateInit2(&state_, gzip_window) != Z_OK) throw std::bad_alloc();
}

GzipStream::~GzipStream() {
  inflateEnd(&state_);
}

void GzipStream::fill() {
  const ssize_t count = hread(&file_, packed_.get(), packed_bytes);
  if (count < 0) fail_with_errno(errno);
  read_ += static_cast<std::uint64_t>(count);
  state_.next_in = packed_.get();
  state_.avail_in = static_cast<unsigned>(count);
}

/// Begins another member if one follows; anything else must be padding.
bool GzipStream::begin_member() {
  if (state_.avail_in == 0) fill();
  if (state_.avail_in == 0) return false;
  constexpr unsigned char first_byte = 0x1f;
  if (*state_.next_in == first_byte) {
    inflateReset(&state_);
    return true;
  }
  while (state_.avail_in > 0 && *state_.next_in == 0) {
    ++state_.next_in;
    --state_.avail_in;
  }
  if (state_.avail_in > 0) fail_trailing_bytes();
  require_only_padding(file_);
  return false;
}

std::string_view GzipStream::next() {
  state_.next_out = reinterpret_cast<unsigned char*>(plain_.get());
  state_.avail_out = plain_bytes;
  while (state_.avail_out > 0) {
    if (!inside_) {
      // Give the bytes inflated so far first: a later error must not hide them.
      if (state_.avail_out < plain_bytes) break;
      inside_ = begin_member();
      if (!inside_) break;
    }
    if (state_.avail_in == 0) fill();
    if (state_.avail_in == 0) {
      if (state_.avail_out < plain_bytes) break;
      fail_damaged();
    }
    const int status = inflate(&state_, Z_NO_FLUSH);
    if (status == Z_STREAM_END) {
      inside_ = false;
    } else if (status == Z_MEM_ERROR) {
      throw std::bad_alloc();
    } else if (status != Z_OK) {
      if (state_.avail_out < plain_bytes) break;
      fail_damaged();
    }
  }
  return {plain_.get(), plain_bytes - state_.avail_out};
}

}  // namespace gsx
