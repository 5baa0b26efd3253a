// Rank blocks of a level of a wavelet matrix, built on the device.
#pragma once

#include <cstdint>

#include "kernels/runtime/device_buffer.hpp"
#include "rank/quad_view.hpp"

namespace gsx::cuda {

/// Blocks of a level of digits and, for each superblock, how many of each digit it holds.
struct RankBlocks {
  DeviceBuffer<QuadBlock> blocks;
  DeviceBuffer<QuadSuperblock> counts;
};

/// Packs the digits at bits shift, shift + 1 of codes (0xFF for a hole) and counts them: one pass,
/// byte for byte what QuadVector builds. Asynchronous. Throws ResourceError, DeviceError.
RankBlocks build_rank_blocks_async(const std::uint8_t* d_codes, std::uint64_t size,
                                   std::uint32_t shift, DeviceStream stream);

}  // namespace gsx::cuda
