// Numbers in the bytes of a file.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace gsx {

/// Appends the lowest `bytes` bytes of each value. Pre: bytes is 1 to 8, and there is a value.
template <class Int>
void append_little_endian(std::string& out, std::span<const Int> values, int bytes) {
  static_assert(std::endian::native == std::endian::little);
  const auto each = static_cast<std::size_t>(bytes);
  const std::size_t size = out.size();
  out.resize(size + values.size() * each);
  char* to = out.data() + size;
  if (each == sizeof(Int)) {
    std::memcpy(to, values.data(), values.size_bytes());
    return;
  }
  for (const std::uint64_t value : values) {
    for (std::size_t i = 0; i < each; ++i)
      *to++ = static_cast<char>(value >> (8 * i));
  }
}
inline void append_little_endian(std::string& out, std::uint64_t value, int bytes) {
  append_little_endian(out, std::span<const std::uint64_t>(&value, 1), bytes);
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
