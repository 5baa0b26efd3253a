// Codes of bases, a byte each, as words of a packed text.
#pragma once

#include <cstdint>

namespace gsx::cuda {

/// 16 codes below 4 in 32 bits, in the order of bytes in which a packed text has them: the product
/// has the four codes of a word in its highest byte, the first one highest.
__device__ inline std::uint32_t pack_16_bases(const std::uint32_t (&words)[4]) {
  std::uint32_t packed = 0;
#pragma unroll
  for (std::uint32_t k = 0; k < 4; ++k)
    packed |= (words[k] * 0x40100401u >> 24) << (8 * k);
  return packed;
}

}  // namespace gsx::cuda
