#include "bytes/compression/packed_stream.hpp"

#include <htslib/hfile.h>

#include <algorithm>
#include <cerrno>
#include <string>

#include "bytes/source_error.hpp"

namespace gsx {

PackedStream::PackedStream(hFILE& file, Packing packing, std::uint64_t most_memory,
                           std::size_t packed_bytes)
    : file_(file),
      packing_(packing),
      unpacker_(make_unpacker(packing, most_memory)),
      packed_bytes_(packed_bytes),
      packed_(std::make_unique<unsigned char[]>(packed_bytes)),
      in_(packed_.get()),
      in_end_(in_) {}

/// Decompresses some bytes; false at the end of the file.
bool PackedStream::step(char*& to, char* end) {
  if (!inside_ && !begin_stream()) return false;
  const char* const before = to;
  const unsigned char* const in_before = in_;
  if (unpacker_->unpack(in_, in_end_, to, end) == Unpacker::Status::ended) {
    inside_ = false;
    return true;
  }
  if (to == end) return true;
  const bool stuck = in_ != in_end_ && in_ == in_before && to == before;
  if (stuck) fail_damaged(packing_, "");
  if (in_ == in_end_ && !fill()) {
    // What is out may be all that the input gives, but a stream that is whole says that it ends.
    throw SourceError("the " + std::string(name_of(packing_)) +
                      " data ends early: the file is truncated; fetch it again");
  }
  return true;
}

/// Begins another stream if one follows.
bool PackedStream::begin_stream() {
  do {
    in_ = std::find_if(in_, in_end_, [](unsigned char byte) { return byte != 0; });
  } while (in_ == in_end_ && fill());
  if (in_ == in_end_) return false;
  if (!unpacker_->may_begin_with(*in_)) {
    const auto left = static_cast<std::size_t>(in_end_ - in_);
    fail_trailing_bytes({reinterpret_cast<const char*>(in_), left}, "");
  }
  unpacker_->reset();
  return inside_ = true;
}

/// Reads more of the file; false at its end. Pre: all that was read is taken.
bool PackedStream::fill() {
  in_ = in_end_ = packed_.get();
  const ssize_t count = hread(&file_, packed_.get(), packed_bytes_);
  if (count < 0) fail_with_errno(errno);
  read_ += static_cast<std::uint64_t>(count);
  in_end_ += count;
  return count != 0;
}

}  // namespace gsx
