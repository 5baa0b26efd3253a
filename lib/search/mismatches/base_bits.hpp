// Splits packed codes of DNA into planes of bits.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"

namespace gsx {

/// Every second bit of a word, from bit 0 on.
GSX_HD std::uint32_t even_bits(std::uint64_t word) {
  word &= 0x5555555555555555;
  word = (word | word >> 1) & 0x3333333333333333;
  word = (word | word >> 2) & 0x0F0F0F0F0F0F0F0F;
  word = (word | word >> 4) & 0x00FF00FF00FF00FF;
  word = (word | word >> 8) & 0x0000FFFF0000FFFF;
  return static_cast<std::uint32_t>(word | word >> 16);
}

/// The lower and the upper bits of 32 codes, the first in bit 0. `packed` holds 8 bytes of a text,
/// of which the first is the lowest; the first code of a byte is in its highest bits.
GSX_HD void split_codes(std::uint64_t packed, std::uint32_t& lower, std::uint32_t& upper) {
  packed = (packed >> 4 & 0x0F0F0F0F0F0F0F0F) | (packed & 0x0F0F0F0F0F0F0F0F) << 4;
  packed = (packed >> 2 & 0x3333333333333333) | (packed & 0x3333333333333333) << 2;
  lower = even_bits(packed);
  upper = even_bits(packed >> 1);
}

}  // namespace gsx
