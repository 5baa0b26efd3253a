// The code of a symbol in a wavelet sequence.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/host_device.hpp"

namespace gsx {

/// `length` digits in base 4, 1 to 16.
struct WaveletCode {
  std::uint32_t digits;  ///< left-aligned: the first digit is in bits 31 and 30
  std::uint32_t length;

  /// Pre: level < length.
  GSX_HD std::uint32_t digit(std::uint32_t level) const { return digits >> (30 - 2 * level) & 3; }
};
static_assert(sizeof(WaveletCode) == 8 && std::is_trivially_copyable_v<WaveletCode>);

}  // namespace gsx
