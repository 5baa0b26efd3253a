// Bytes that come one after another, from something that has to be decoded first.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gsx {

/// Decodes a file from where it is.
class ByteStream {
 public:
  ByteStream() = default;
  virtual ~ByteStream() = default;
  ByteStream(const ByteStream&) = delete;
  ByteStream& operator=(const ByteStream&) = delete;

  /// Decodes the next bytes, up to `count`; fewer only before the end or an error, and none only at
  /// the end. Throws SourceError after all bytes before the error; later calls throw it again.
  virtual std::size_t read(char* to, std::size_t count) = 0;
  /// Bytes of the file that the stream has read so far.
  virtual std::uint64_t position() const = 0;
};

}  // namespace gsx
