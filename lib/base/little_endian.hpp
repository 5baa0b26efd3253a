// Numbers in the bytes of a file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gsx {

inline void append_little_endian(std::string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i)
    out += static_cast<char>(value >> (8 * i));
}

inline std::uint64_t little_endian(const std::uint8_t* bytes, int count) {
  std::uint64_t value = 0;
  for (int i = 0; i < count; ++i)
    value |= std::uint64_t{bytes[i]} << (8 * i);
  return value;
}

/// Seven bits per byte, the lowest first; the highest bit says that more follow.
inline void append_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

/// Appends the number of bytes as a varint, and the bytes.
inline void append_sized(std::string& out, std::string_view bytes) {
  append_varint(out, bytes.size());
  out += bytes;
}

/// Reads a varint of what next() gives, a std::uint8_t at a time; false if it does not fit 64 bits.
template <class Next>
bool read_varint(const Next& next, std::uint64_t& value) {
  value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const std::uint64_t byte = next();
    if (shift == 63 && byte > 1) return false;
    value |= (byte & 0x7F) << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

}  // namespace gsx
