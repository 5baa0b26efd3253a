#include <cub/block/block_scan.cuh>
#include <utility>

#include "arrays/rank/quad_vector.hpp"
#include "base/bits.hpp"
#include "kernels/arrays/rank/rank_blocks.hpp"
#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/tuning.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

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

/// Gives block b of a level its counts, and its superblock what it holds. To be called by all
/// threads of a thread block: one per superblock, one thread per rank block.
__device__ void finish_block(QuadBlock block, std::uint32_t holes, std::uint64_t b,
                             std::uint64_t size, std::uint64_t block_count, QuadBlock* d_blocks,
                             QuadSuperblock* d_counts) {
  using Scan = cub::BlockScan<PackedCounts, QuadSuperblock::blocks>;
  __shared__ typename Scan::TempStorage storage;
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
__global__ void __launch_bounds__(QuadSuperblock::blocks)
    build_kernel(const Code* d_codes, std::uint64_t size, std::uint32_t shift,
                 std::uint64_t block_count, QuadBlock* d_blocks, QuadSuperblock* d_counts) {
  const std::uint64_t b = std::uint64_t{blockIdx.x} * QuadSuperblock::blocks + threadIdx.x;
  QuadBlock block{};
  const std::uint64_t warp_first = (b - threadIdx.x % warp) * QuadBlock::digits;
  const std::uint32_t holes = pack_blocks<has_holes>(d_codes, warp_first, size, shift, block);
  finish_block(block, holes, b, size, block_count, d_blocks, d_counts);
}

/// A warp packs planes_at_once planes, of which the first begins at a multiple of their digits.
constexpr unsigned planes_at_once = 8;  // so that enough loads are in flight

__global__ void pack_digits_kernel(const std::uint8_t* d_codes, std::uint64_t size,
                                   std::uint64_t first, QuadBlock* d_blocks) {
  constexpr unsigned digits = QuadBlock::digits_per_plane;
  const unsigned lane = threadIdx.x % warp;
  const std::uint64_t number = (std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x) / warp;
  const std::uint64_t first_plane = first / digits + number * planes_at_once;
  const std::uint64_t end = first + size;
  if (first_plane * digits >= end) return;
  std::uint32_t codes[planes_at_once];
#pragma unroll
  for (unsigned k = 0; k < planes_at_once; ++k) {
    const std::uint64_t at = (first_plane + k) * digits + lane;
    codes[k] = at >= first && at < end ? d_codes[at - first] : 0;
  }
#pragma unroll
  for (unsigned k = 0; k < planes_at_once; ++k) {
    const std::uint32_t digit = codes[k] == hole ? 0 : codes[k];
    const std::uint32_t low = __ballot_sync(whole_warp, (digit & 1) != 0);
    const std::uint32_t high = __ballot_sync(whole_warp, (digit & 2) != 0);
    const std::uint64_t plane = first_plane + k;
    if (lane != k || plane * digits >= end) continue;
    constexpr unsigned planes = QuadBlock::digits / digits;
    // The digits before and behind these come with other calls.
    d_blocks[plane / planes].planes[plane % planes] |= std::uint64_t{high} << 32 | low;
  }
}

/// Counts the holes of each block in the lowest 16 bits of its counts, which are zero.
__global__ void count_holes_kernel(const std::uint64_t* d_holes, std::uint64_t count,
                                   QuadBlock* d_blocks) {
  const std::uint64_t k = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k >= count) return;
  QuadBlock& block = d_blocks[d_holes[k] / QuadBlock::digits];
  atomicAdd(reinterpret_cast<unsigned*>(&block.counts[0]), 1u);
}

__global__ void __launch_bounds__(QuadSuperblock::blocks)
    count_kernel(std::uint64_t size, std::uint64_t block_count, QuadBlock* d_blocks,
                 QuadSuperblock* d_counts) {
  const std::uint64_t b = std::uint64_t{blockIdx.x} * QuadSuperblock::blocks + threadIdx.x;
  const QuadBlock block = b < block_count ? d_blocks[b] : QuadBlock{};
  finish_block(block, block.counts[0], b, size, block_count, d_blocks, d_counts);
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

DigitPacker::DigitPacker(std::uint64_t size, DeviceStream stream)
    : size_(size), stream_(stream), blocks_(size / QuadBlock::digits + 1, stream) {
  GSX_CUDA_CHECK(cudaMemsetAsync(blocks_.data(), 0, blocks_.bytes(), stream));
}

void DigitPacker::pack_async(const std::uint8_t* d_codes, std::uint64_t count,
                             std::uint64_t first) {
  if (count == 0) return;
  const std::uint64_t planes =
      divide_up(first + count, QuadBlock::digits_per_plane) - first / QuadBlock::digits_per_plane;
  pack_digits_kernel<<<blocks_for(divide_up(planes, planes_at_once) * warp, block_threads),
                       block_threads, 0, stream_>>>(d_codes, count, first, blocks_.data());
  GSX_CUDA_CHECK(cudaGetLastError());
}

RankBlocks DigitPacker::finish_async(const DeviceBuffer<std::uint64_t>& d_holes) {
  if (d_holes.size() != 0) {
    count_holes_kernel<<<blocks_for(d_holes.size(), block_threads), block_threads, 0, stream_>>>(
        d_holes.data(), d_holes.size(), blocks_.data());
    GSX_CUDA_CHECK(cudaGetLastError());
  }
  const unsigned superblocks = blocks_for(blocks_.size(), QuadSuperblock::blocks);
  DeviceBuffer<QuadSuperblock> counts(superblocks, stream_);
  count_kernel<<<superblocks, QuadSuperblock::blocks, 0, stream_>>>(size_, blocks_.size(),
                                                                    blocks_.data(), counts.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  return {std::move(blocks_), std::move(counts)};
}

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
