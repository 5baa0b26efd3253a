// What decompresses bzip2, xz and zstd, where gsx is built with their libraries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace gsx {

enum class Packing : std::uint8_t { bzip2, xz, zstd };
inline constexpr Packing all_packings[] = {Packing::bzip2, Packing::xz, Packing::zstd};

/// The memory that decompressing may take unless a limit of memory is lower.
/// Holds the window of zstd up to --long=28, and the dictionary of xz -9 four times.
inline constexpr std::uint64_t usual_unpack_bytes = std::uint64_t{256} << 20;

/// Name of the format.
const char* name_of(Packing packing);
/// Whether gsx is built with the library of this format.
bool can_unpack(Packing packing);

/// Decompresses one stream, or frame, piece by piece.
class Unpacker {
 public:
  enum class Status : std::uint8_t {
    more,   ///< the input is used up, or the output is full
    ended,  ///< the stream has ended, and all its bytes are out
  };

  Unpacker() = default;
  virtual ~Unpacker() = default;
  Unpacker(const Unpacker&) = delete;
  Unpacker& operator=(const Unpacker&) = delete;

  /// Begins another stream.
  virtual void reset() = 0;
  /// Whether a stream may begin with this byte.
  virtual bool may_begin_with(unsigned char byte) const = 0;
  /// Decompresses [in, in_end) into [out, out_end) and moves `in` and `out` behind what it has
  /// taken and given. Throws SourceError if the data is damaged or takes too much memory, and
  /// std::bad_alloc.
  virtual Status unpack(const unsigned char*& in, const unsigned char* in_end, char*& out,
                        char* out_end) = 0;
};

/// Takes at most `most_bytes` of memory for tables and what it looks back to. Throws SourceError if
/// gsx is built without the library, and std::bad_alloc.
std::unique_ptr<Unpacker> make_unpacker(Packing packing, std::uint64_t most_bytes);

std::unique_ptr<Unpacker> make_bzip2_unpacker();
std::unique_ptr<Unpacker> make_xz_unpacker(std::uint64_t most_bytes);
std::unique_ptr<Unpacker> make_zstd_unpacker(std::uint64_t most_bytes);

/// Throws SourceError: data is damaged, for a reason that is known or empty.
[[noreturn]] void fail_damaged(Packing packing, const std::string& reason);
/// To decompress takes more memory than is allowed. `needed_bytes` is 0 if it is not known. Throws
/// MemoryError; SourceError where nothing has lowered the limit.
[[noreturn]] void fail_on_memory(Packing packing, std::uint64_t needed_bytes,
                                 std::uint64_t most_bytes);

}  // namespace gsx
