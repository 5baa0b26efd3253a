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

/// The same of codes without holes, of 8, 16 or 32 bits: 0xFF is a code, too.
template <class Code>
RankBlocks build_digit_blocks_async(const Code* d_codes, std::uint64_t size, std::uint32_t shift,
                                    DeviceStream stream);

/// The same of a part of a level that begins with a superblock, into memory for `block_count`
/// blocks, 1 or more, and their superblocks. Pre: size is at most 96 * block_count, and less in the
/// last part only.
template <class Code>
void fill_digit_blocks_async(const Code* d_codes, std::uint64_t size, std::uint32_t shift,
                             std::uint64_t block_count, QuadBlock* d_blocks,
                             QuadSuperblock* d_counts, cudaStream_t stream);

}  // namespace gsx::cuda
