// Inflates gzip members, one after another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "bytes/compression/stepped_stream.hpp"
#include "bytes/compression/stream_inflater.hpp"

struct hFILE;

namespace gsx {

/// Checks the header of each member, its CRC and its length.
class GzipStream final : public SteppedStream {
 public:
  /// Enough for about a megabyte of sequence: an inflater begins slowly with each piece.
  static constexpr std::size_t usual_bytes = std::size_t{256} << 10;

  /// Reads `packed_bytes` of the file at a time. Pre: `file` is at the start of a gzip member and
  /// outlives the stream.
  explicit GzipStream(hFILE& file,
                      std::unique_ptr<StreamInflater> inflater = make_stream_inflater(),
                      std::size_t packed_bytes = usual_bytes);

  std::uint64_t position() const override { return read_; }

 private:
  bool step(char*& to, char* end) override;
  bool begin_member();
  void read_header();
  void check_trailer();
  bool fill();
  unsigned char next_byte();
  unsigned char next_header_byte();
  std::uint32_t next_number32();

  hFILE& file_;
  std::unique_ptr<StreamInflater> inflater_;
  std::size_t packed_bytes_;
  std::unique_ptr<unsigned char[]> packed_;  ///< bytes that may be given back, then those read last
  const unsigned char* in_;  ///< what of packed_ is still to inflate: [in_, in_end_)
  const unsigned char* in_end_;
  std::uint64_t read_ = 0;
  bool inside_ = false;  ///< whether a member is being inflated
  std::uint32_t header_checksum_ = 0;
  std::uint32_t checksum_ = 0;  ///< of the bytes of the member so far
  std::uint32_t length_ = 0;    ///< their number, modulo 2^32
};

}  // namespace gsx
