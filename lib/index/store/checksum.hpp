// Checksums of the index file.
#pragma once

#include <cstdint>
#include <span>

namespace gsx {

/// A checksum is that of the checksums of pieces of this many bytes.
inline constexpr std::uint64_t checksum_piece = std::uint64_t{4} << 20;

/// Checksum of bytes as the format defines it. Cost: one pass on `threads` threads.
std::uint64_t checksum(std::span<const std::uint8_t> bytes, int threads);

/// Checksum of a whole header, section table included. Pre: at least sizeof(IndexHeader) bytes.
std::uint64_t header_checksum(std::span<const std::uint8_t> header);

}  // namespace gsx
