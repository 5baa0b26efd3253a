// Rank blocks of a level of a wavelet matrix, built on the device.
#pragma once

#include <cstdint>

#include "arrays/rank/quad_view.hpp"
#include "kernels/base/device_buffer.hpp"

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

/// Packs a level of digits that comes in parts: a third of a byte for each, where codes take one.
class DigitPacker {
 public:
  /// Throws ResourceError, DeviceError.
  DigitPacker(std::uint64_t size, DeviceStream stream);

  /// Packs codes below 4, or 0xFF for a hole, as digits [first, first + count). Pre: each digit
  /// comes once; parts may come in any order. Asynchronous.
  void pack_async(const std::uint8_t* d_codes, std::uint64_t count, std::uint64_t first);

  /// What build_rank_blocks_async makes of all codes. `d_holes` are the places of the holes, in any
  /// order. To be called once, at the end. Asynchronous.
  RankBlocks finish_async(const DeviceBuffer<std::uint64_t>& d_holes);

  static std::uint64_t bytes(std::uint64_t size) {
    return (size / QuadBlock::digits + 1) * sizeof(QuadBlock);
  }

 private:
  std::uint64_t size_;
  DeviceStream stream_;
  DeviceBuffer<QuadBlock> blocks_;
};

}  // namespace gsx::cuda
