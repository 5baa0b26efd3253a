// Decompresses the streams of a file, one after another.
#pragma once

#include <cstdint>
#include <memory>

#include "bytes/compression/stepped_stream.hpp"
#include "bytes/compression/unpacker.hpp"

struct hFILE;

namespace gsx {

/// Streams may follow one another, as in gzip, with zero bytes between and behind them.
class PackedStream final : public SteppedStream {
 public:
  static constexpr std::size_t usual_bytes = std::size_t{256} << 10;

  /// Reads `packed_bytes` of the file at a time. Pre: `file` is at the start of a stream, and
  /// outlives this. Throws as make_unpacker().
  PackedStream(hFILE& file, Packing packing, std::uint64_t most_memory,
               std::size_t packed_bytes = usual_bytes);

  std::uint64_t position() const override { return read_; }

 private:
  bool step(char*& to, char* end) override;
  bool begin_stream();
  bool fill();

  hFILE& file_;
  Packing packing_;
  std::unique_ptr<Unpacker> unpacker_;
  std::size_t packed_bytes_;
  std::unique_ptr<unsigned char[]> packed_;  ///< the bytes read last
  const unsigned char* in_;                  ///< what of packed_ is left: [in_, in_end_)
  const unsigned char* in_end_;
  std::uint64_t read_ = 0;
  bool inside_ = false;  ///< whether a stream is being decompressed
};

}  // namespace gsx
