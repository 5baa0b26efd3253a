#include "bytes/compression/gzip_stream.hpp"

#include <htslib/hfile.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "bytes/source_error.hpp"

namespace gsx {
namespace {

constexpr std::size_t kept = StreamInflater::bytes_back;

/// The flags of a header (RFC 1952).
constexpr unsigned header_crc = 2, extra_field = 4, original_name = 8, comment = 16,
                   reserved = 0xe0;

}  // namespace

GzipStream::GzipStream(hFILE& file, std::unique_ptr<StreamInflater> inflater,
                       std::size_t packed_bytes)
    : file_(file),
      inflater_(std::move(inflater)),
      packed_bytes_(packed_bytes),
      packed_(std::make_unique<unsigned char[]>(kept + packed_bytes)),
      in_(packed_.get() + kept),
      in_end_(in_) {}

/// Inflates some bytes; false at the end of the file.
bool GzipStream::step(char*& to, char* end) {
  if (!inside_ && !begin_member()) return false;
  char* const before = to;
  const unsigned char* const in_before = in_;
  const StreamInflater::Status status = inflater_->inflate(in_, in_end_, to, end);
  const auto count = static_cast<std::size_t>(to - before);
  checksum_ = inflater_->checksum(checksum_, {before, count});
  length_ += static_cast<std::uint32_t>(count);
  if (status == StreamInflater::Status::ended) {
    check_trailer();
    inside_ = false;
  } else if (status == StreamInflater::Status::damaged) {
    fail_damaged();
  } else if (to != end) {
    const bool stuck = in_ != in_end_ && in_ == in_before && to == before;
    if (stuck || (in_ == in_end_ && !fill())) fail_damaged();
  }
  return true;
}

/// Begins another member if one follows; anything else must be padding.
bool GzipStream::begin_member() {
  if (in_ == in_end_ && !fill()) return false;
  constexpr unsigned char first_byte = 0x1f;
  if (*in_ == first_byte) {
    read_header();
    inflater_->reset();
    checksum_ = length_ = 0;
    return inside_ = true;
  }
  if (std::any_of(in_, in_end_, [](unsigned char byte) { return byte != 0; })) {
    const auto left = static_cast<std::size_t>(in_end_ - in_);
    fail_trailing_bytes({reinterpret_cast<const char*>(in_), left});
  }
  in_ = in_end_;
  require_only_padding(file_);
  return false;
}

void GzipStream::read_header() {
  header_checksum_ = 0;
  for (const unsigned expected : {0x1fU, 0x8bU, 8U}) {  // 8 is deflate
    if (next_header_byte() != expected) fail_damaged();
  }
  const unsigned flags = next_header_byte();
  if ((flags & reserved) != 0) fail_damaged();
  for (int i = 0; i < 6; ++i)  // time, system and level, which mean nothing here
    next_header_byte();
  if ((flags & extra_field) != 0) {
    unsigned left = next_header_byte();
    left |= unsigned{next_header_byte()} << 8;
    for (; left != 0; --left)
      next_header_byte();
  }
  for (const unsigned text : {original_name, comment}) {
    if ((flags & text) == 0) continue;
    while (next_header_byte() != 0) {
    }
  }
  if ((flags & header_crc) == 0) return;
  const std::uint32_t expected = header_checksum_ & 0xffff;
  const unsigned low = next_byte();
  if ((low | unsigned{next_byte()} << 8) != expected) fail_damaged();
}

void GzipStream::check_trailer() {
  const std::uint32_t checksum = next_number32();
  if (checksum != checksum_ || next_number32() != length_) fail_damaged();
}

/// Reads more of the file behind the last bytes, which the inflater may give back. Returns false at
/// its end. Pre: all that was read is taken.
bool GzipStream::fill() {
  std::copy_n(in_end_ - kept, kept, packed_.get());
  in_ = in_end_ = packed_.get() + kept;
  const ssize_t count = hread(&file_, packed_.get() + kept, packed_bytes_);
  if (count < 0) fail_with_errno(errno);
  read_ += static_cast<std::uint64_t>(count);
  in_end_ += count;
  return count != 0;
}

unsigned char GzipStream::next_byte() {
  if (in_ == in_end_ && !fill()) fail_damaged();
  return *in_++;
}

unsigned char GzipStream::next_header_byte() {
  const unsigned char byte = next_byte();
  header_checksum_ =
      inflater_->checksum(header_checksum_, {reinterpret_cast<const char*>(&byte), 1});
  return byte;
}

std::uint32_t GzipStream::next_number32() {
  std::uint32_t number = 0;
  for (int shift = 0; shift < 32; shift += 8)
    number |= std::uint32_t{next_byte()} << shift;
  return number;
}

}  // namespace gsx
