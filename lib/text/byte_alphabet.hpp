// The smallest alphabet that has given bytes.
#pragma once

#include <array>
#include <cstdint>

namespace gsx {

/// Codes 0 .. size - 1 for the bytes that occur, in their order.
struct ByteAlphabet {
  /// One code is left to mark separators.
  static constexpr std::uint32_t most_symbols = 255;

  /// `occurs[b]`: whether byte b does. Throws UsageError for more than most_symbols.
  explicit ByteAlphabet(const std::array<bool, 256>& occurs);

  /// Bits that hold any code, at least 1.
  std::uint32_t bits() const;

  std::uint32_t size = 0;
  std::array<std::uint8_t, 256> code_of{};
  std::array<std::uint8_t, 256> byte_of{};
};

}  // namespace gsx
