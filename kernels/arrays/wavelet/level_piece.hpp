// A piece of a level: its rank blocks, and its codes sorted by their digits.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "arrays/rank/quad_block.hpp"

namespace gsx::cuda {

/// Memory of a piece on the device.
template <class Code>
struct LevelPiece {
  const Code* d_codes;       ///< [size]
  QuadBlock* d_blocks;       ///< [block_count]
  QuadSuperblock* d_counts;  ///< of each superblock: what is in it
  QuadSuperblock* d_before;  ///< one per superblock: used here only
  Code* d_sorted;            ///< [size]
  std::uint64_t size;        ///< codes: those of whole superblocks, fewer in the last piece
  std::uint64_t block_count;
};

/// Fills the blocks and counts by the digit at `shift`; with `sorts`, also d_sorted, stably.
/// Asynchronous. Cost: two passes. Throws DeviceError. Exists for codes of 8, 16 and 32 bits.
template <class Code>
void make_piece_async(const LevelPiece<Code>& piece, std::uint32_t shift, bool sorts,
                      cudaStream_t stream);

}  // namespace gsx::cuda
