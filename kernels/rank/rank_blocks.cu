#include <cub/block/block_scan.cuh>

#include "kernels/rank/rank_blocks.hpp"
#include "kernels/runtime/cub_temporary.hpp"
#include "rank/quad_vector.hpp"

namespace gsx::cuda {
namespace {

constexpr std::uint8_t hole = QuadVector::hole;

/// Four counters of 16 bits, digit 0 in the lowest: a superblock's counts fit.
using PackedCounts = std::uint64_t;
static_assert(QuadSuperblock::digits < 1 << 16);

constexpr unsigned warp = 32;
constexpr unsigned whole_warp = 0xFFFFFFFF;

/// Packs 32 blocks of digits, the code's two bits at `shift`, with a warp: it loads a plane's codes
/// side by side and votes on each bit. Lane i returns with the planes of block i and the number of
/// its holes.
template <bool has_holes, class Code>
__device__ std::uint32_t pack_blocks(const Code* d_codes, std::uint64_t first, std::uint64_t size,
                                     std::uint32_t shift, QuadBlock& block) {
  constexpr unsigned blocks_at_once = 4;  // so that enough loads are in flight
  constexpr unsigned planes = 3 * blocks_at_once;
  const unsigned lane = threadIdx.x % warp;
  std::uint32_t holes = 0;
  for (unsigned i = 0; i < warp; i += blocks_at_once) {
    std::uint32_t codes[planes];
#pragma unroll
    for (unsigned k = 0; k < planes; ++k) {
      const std::uint64_t at = first + (3 * i + k) * QuadBlock::digits_per_plane + lane;
      codes[k] = at < size ? d_codes[at] : 0;
    }
#pragma unroll
    for (unsigned k = 0; k < planes; ++k) {
      const bool is_hole = has_holes && codes[k] == hole;
      const std::uint32_t digit = is_hole ? 0 : codes[k] >> shift & 3;
      const std::uint32_t low = __ballot_sync(whole_warp, (digit & 1) != 0);
      const std::uint32_t high = __ballot_sync(whole_warp, (digit & 2) != 0);
      const std::uint32_t hole_mask = has_holes ? __ballot_sync(whole_warp, is_hole) : 0;
      if (lane == i + k / 3) {
        block.planes[k % 3] = std::uint64_t{high} << 32 | low;
        holes += popcount32(hole_mask);
      }
    }
  }
  return holes;
}

__device__ PackedCounts count_digits(const QuadBlock& block, std::uint32_t count,
                                     std::uint32_t holes) {
  PackedCounts counts = 0;
  for (std::uint32_t d = 0; d < 4; ++d) {
    std::uint64_t found = QuadView::count_in(block, d, count);
    if (d == 0) found -= holes;
    counts |= found << (16 * d);
  }
  return counts;
}

/// One thread block per superblock, one thread per rank block.
template <bool has_holes, class Code>
__global__ void __launch_bounds__(QuadSuperblock::blocks)
    build_kernel(const Code* d_codes, std::uint64_t size, std::uint32_t shift,
                 std::uint64_t block_count, QuadBlock* d_blocks, QuadSuperblock* d_counts) {
  using Scan = cub::BlockScan<PackedCounts, QuadSuperblock::blocks>;
  __shared__ typename Scan::TempStorage storage;
  const std::uint64_t b = std::uint64_t{blockIdx.x} * QuadSuperblock::blocks + threadIdx.x;
  QuadBlock block{};
  const std::uint64_t warp_first = (b - threadIdx.x % warp) * QuadBlock::digits;
  const std::uint32_t holes = pack_blocks<has_holes>(d_codes, warp_first, size, shift, block);
  PackedCounts counts = 0;
  if (b < block_count) {
    const std::uint64_t left = size - b * QuadBlock::digits;
    const auto count =
        static_cast<std::uint32_t>(left < QuadBlock::digits ? left : QuadBlock::digits);
    counts = count_digits(block, count, holes);
  }
  PackedCounts before = 0, total = 0;
  Scan(storage).ExclusiveSum(counts, before, total);
  if (b < block_count) {
    for (std::uint32_t d = 0; d < 4; ++d) {
      block.counts[d] = static_cast<std::uint16_t>(before >> (16 * d));
    }
    if (holes != 0) block.counts[0] |= QuadBlock::hole_flag;
    d_blocks[b] = block;
  }
  if (threadIdx.x < 4) {
    d_counts[blockIdx.x].counts[threadIdx.x] = total >> (16 * threadIdx.x) & 0xFFFF;
  }
}

template <bool has_holes, class Code>
RankBlocks build_async(const Code* d_codes, std::uint64_t size, std::uint32_t shift,
                       DeviceStream stream) {
  const std::uint64_t block_count = size / QuadBlock::digits + 1;
  const unsigned superblocks = blocks_for(block_count, QuadSuperblock::blocks);
  RankBlocks built{DeviceBuffer<QuadBlock>(block_count, stream),
                   DeviceBuffer<QuadSuperblock>(superblocks, stream)};
  build_kernel<has_holes><<<superblocks, QuadSuperblock::blocks, 0, stream>>>(
      d_codes, size, shift, block_count, built.blocks.data(), built.counts.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  return built;
}

}  // namespace

RankBlocks build_rank_blocks_async(const std::uint8_t* d_codes, std::uint64_t size,
                                   std::uint32_t shift, DeviceStream stream) {
  return build_async<true>(d_codes, size, shift, stream);
}

template <class Code>
RankBlocks build_digit_blocks_async(const Code* d_codes, std::uint64_t size, std::uint32_t shift,
                                    DeviceStream stream) {
  return build_async<false>(d_codes, size, shift, stream);
}
template <class Code>
void fill_digit_blocks_async(const Code* d_codes, std::uint64_t size, std::uint32_t shift,
                             std::uint64_t block_count, QuadBlock* d_blocks,
                             QuadSuperblock* d_counts, cudaStream_t stream) {
  const unsigned superblocks = blocks_for(block_count, QuadSuperblock::blocks);
  build_kernel<false><<<superblocks, QuadSuperblock::blocks, 0, stream>>>(
      d_codes, size, shift, block_count, d_blocks, d_counts);
  GSX_CUDA_CHECK(cudaGetLastError());
}

#define GSX_DIGIT_BLOCKS(Code)                                                                    \
  template RankBlocks build_digit_blocks_async(const Code*, std::uint64_t, std::uint32_t,         \
                                               DeviceStream);                                     \
  template void fill_digit_blocks_async(const Code*, std::uint64_t, std::uint32_t, std::uint64_t, \
                                        QuadBlock*, QuadSuperblock*, cudaStream_t);
GSX_DIGIT_BLOCKS(std::uint8_t)
GSX_DIGIT_BLOCKS(std::uint16_t)
GSX_DIGIT_BLOCKS(std::uint32_t)
#undef GSX_DIGIT_BLOCKS

}  // namespace gsx::cuda
