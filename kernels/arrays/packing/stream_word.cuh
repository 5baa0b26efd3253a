// The words of a plain stream, each on its own.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"

namespace gsx::cuda::packing {

/// The bytes of a word in reverse order.
__device__ inline std::uint32_t reversed(std::uint32_t word) {
  return __byte_perm(word, 0, 0x0123);
}

/// Bits [32 w, 32 w + 32) of a stream of values of `bits` bits, the first bit highest. value_at(i)
/// is value i. Pre: values are below 2^bits; the bits of the stream before 32 w + 32 are fewer than
/// 2^32. Cost: a division, and a call for each value that has a bit there.
template <class ValueAt>
__device__ std::uint32_t stream_word(const ValueAt& value_at, std::uint32_t bits, std::uint32_t w) {
  std::uint32_t i = 32 * w / bits;
  const std::uint32_t left = bits - (32 * w - i * bits);  // bits of value i that are not passed
  std::uint64_t value = value_at(i);
  if (left >= 32) return static_cast<std::uint32_t>(value >> (left - 32));
  auto word = static_cast<std::uint32_t>(value) & low_mask32(left);
  for (std::uint32_t filled = left; filled < 32;) {
    value = value_at(++i);
    const std::uint32_t taken = bits < 32 - filled ? bits : 32 - filled;
    word = word << taken | static_cast<std::uint32_t>(value >> (bits - taken));
    filled += taken;
  }
  return word;
}

}  // namespace gsx::cuda::packing
