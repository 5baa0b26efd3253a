// How threads are divided among packed integers.
#pragma once

#include <cstdint>

#include "arrays/packing/interleaved_view.hpp"
#include "base/bits.hpp"
#include "base/host_device.hpp"
#include "kernels/base/tuning.hpp"

namespace gsx::cuda::packing {

/// Values that a warp works on: a block of the interleaved layout. Of a plain stream, these are
/// whole words of 32 bits, too, and as many bytes, at a multiple of 128.
inline constexpr unsigned block_values = InterleavedView::block;
inline constexpr unsigned lanes = InterleavedView::lanes;
inline constexpr unsigned warps = tuning::packing_warps;
inline constexpr unsigned threads = warps * lanes;

/// Thread blocks for values in `count` places from the begin of a block on. Pre: these are fewer
/// than 2^43.
inline unsigned grid_for(std::uint64_t count) {
  return static_cast<unsigned>(divide_up(count, std::uint64_t{block_values} * warps));
}

/// Pre: bits is 1 to 64.
GSX_HD bool fits(std::uint64_t value, std::uint32_t bits) {
  return value >> (bits - 1) >> 1 == 0;
}

}  // namespace gsx::cuda::packing
