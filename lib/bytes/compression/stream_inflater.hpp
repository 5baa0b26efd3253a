// Inflates one deflate stream piece by piece.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace gsx {

/// A raw deflate stream, without the header and the checks of gzip around it. The bytes come and go
/// in buffers of the caller, of any size.
class StreamInflater {
 public:
  enum class Status : std::uint8_t {
    more,     ///< the input is used up, or the output is full
    ended,    ///< the stream has ended, and all its bytes are out
    damaged,  ///< the stream is damaged behind the bytes that are out
  };

  StreamInflater() = default;
  virtual ~StreamInflater() = default;
  StreamInflater(const StreamInflater&) = delete;
  StreamInflater& operator=(const StreamInflater&) = delete;

  /// Bytes before `in` that inflate() may give back when a stream ends.
  static constexpr std::size_t bytes_back = 8;

  /// Begins another stream.
  virtual void reset() = 0;
  /// Inflates [in, in_end) into [out, out_end) and moves `in` and `out` behind what it has taken
  /// and given. Pre: the last `bytes_back` bytes of the stream, if it had so many, are right before
  /// `in`. After the end of a stream, `in` is right behind it, which may be before where it was.
  virtual Status inflate(const unsigned char*& in, const unsigned char* in_end, char*& out,
                         char* out_end) = 0;
  /// The CRC-32 of gzip, continued over `bytes`; that of no bytes is 0.
  virtual std::uint32_t checksum(std::uint32_t before, std::string_view bytes) const = 0;
};

/// The fastest that gsx was built with: ISA-L is several times as fast as zlib. Throws
/// std::bad_alloc.
std::unique_ptr<StreamInflater> make_stream_inflater();
/// The one that every build has. Throws std::bad_alloc.
std::unique_ptr<StreamInflater> make_zlib_inflater();
/// Name of the library that make_stream_inflater() uses.
const char* stream_inflater_name();

}  // namespace gsx
