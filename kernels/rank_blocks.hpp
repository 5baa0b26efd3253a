// Rank blocks of a DNA BWT, built on the device.
#pragma once

#include <cstdint>

#include "kernels/device_buffer.hpp"
#include "rank/quad_view.hpp"

namespace gsx::cuda {

/// Blocks of a level of digits and, for each superblock, how many of each digit it holds.
struct RankBlocks {
  DeviceBuffer<QuadBlock> blocks;
  DeviceBuffer<QuadSuperblock> counts;
};

/// Packs digits (0xFF for a hole) and counts them: one pass, byte for byte what QuadVector builds.
/// Asynchronous. Throws ResourceError, DeviceError.
RankBlocks build_rank_blocks_async(const DeviceBuffer<std::uint8_t>& digits, cudaStream_t stream);

/// Positions of the digits that are holes, ascending. Waits for the stream.
DeviceBuffer<std::uint32_t> find_holes(const DeviceBuffer<std::uint8_t>& digits,
                                       std::uint64_t hole_count, cudaStream_t stream);

}  // namespace gsx::cuda
