// Checksums of the index file.
#pragma once

#include <cstdint>
#include <span>

namespace gsx {

/// Checksum of bytes as the format defines it. Cost: one pass on `threads` threads.
std::uint64_t checksum(std::span<const std::uint8_t> bytes, int threads);

/// Checksum of a whole header, section table included. Pre: at least sizeof(IndexHeader) bytes.
std::uint64_t header_checksum(std::span<const std::uint8_t> header);

}  // namespace gsx
