// How much of an input may be held at a time under a limit of memory.
#pragma once

#include <algorithm>
#include <cstdint>

#include "records/decoding.hpp"

namespace gsx {

/// Bounds of what is read at once, in bytes.
struct ReadingBounds {
  std::uint64_t header_bytes = ~std::uint64_t{0};             ///< of a header line
  std::uint64_t record_bytes = ~std::uint64_t{0};             ///< of Decoding::record_bytes
  std::uint64_t unpack_bytes = Decoding::usual_unpack_bytes;  ///< of Decoding::unpack_bytes
};

/// The bounds where reading may take `memory` bytes; the largest number means no limit. A header is
/// held, as it is read, in up to six copies and the growth of arrays. What decompressing and SAM,
/// BAM and CRAM take is counted by those who ask the system what the process has.
inline ReadingBounds reading_bounds(std::uint64_t memory) {
  constexpr std::uint64_t header_share = 8, record_share = 4, unpack_share = 8;
  constexpr std::uint64_t least_header = std::uint64_t{1} << 16;
  if (memory == ~std::uint64_t{0}) return {};
  return {std::max(least_header, memory / header_share), memory / record_share,
          std::min(Decoding::usual_unpack_bytes, memory / unpack_share)};
}

}  // namespace gsx
