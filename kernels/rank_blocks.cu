#include <thrust/iterator/counting_iterator.h>

#include <cub/block/block_scan.cuh>
#include <cub/device/device_select.cuh>

#include "kernels/cub_temporary.hpp"
#include "kernels/rank_blocks.hpp"

namespace gsx::cuda {
namespace {

constexpr std::uint8_t hole = 0xFF;

/// Four counters of 16 bits, digit 0 in the lowest: a superblock's counts fit.
using PackedCounts = std::uint64_t;
static_assert(QuadSuperblock::digits < 1 << 16);

/// Reads up to 96 digits into planes and counts them. `count` is how many there are.
__device__ PackedCounts pack_block(const std::uint8_t* d_digits, std::uint32_t count,
                                   QuadBlock& block, bool& has_holes) {
  std::uint32_t holes = 0;
  for (std::uint32_t k = 0; k < 3; ++k) {
    std::uint32_t low = 0, high = 0;
    for (std::uint32_t i = 0; i < QuadBlock::digits_per_plane; ++i) {
      const std::uint32_t at = k * QuadBlock::digits_per_plane + i;
      std::uint32_t digit = at < count ? d_digits[at] : 0;
      if (digit == hole) {
        ++holes;
        digit = 0;
      }
      low |= (digit & 1) << i;
      high |= (digit >> 1) << i;
    }
    block.planes[k] = std::uint64_t{high} << 32 | low;
  }
  has_holes = holes != 0;
  PackedCounts counts = 0;
  for (std::uint32_t d = 0; d < 4; ++d) {
    std::uint64_t found = QuadView::count_in(block, d, count);
    if (d == 0) found -= holes;
    counts |= found << (16 * d);
  }
  return counts;
}

/// One thread block a superblock, one thread a rank block.
__global__ void __launch_bounds__(QuadSuperblock::blocks)
    build_kernel(const std::uint8_t* d_digits, std::uint64_t size, std::uint64_t block_count,
                 QuadBlock* d_blocks, QuadSuperblock* d_counts) {
  using Scan = cub::BlockScan<PackedCounts, QuadSuperblock::blocks>;
  __shared__ typename Scan::TempStorage storage;
  const std::uint64_t b = std::uint64_t{blockIdx.x} * QuadSuperblock::blocks + threadIdx.x;
  QuadBlock block{};
  bool has_holes = false;
  PackedCounts counts = 0;
  if (b < block_count) {
    const std::uint64_t first = b * QuadBlock::digits;
    const std::uint64_t left = size - first;
    const auto count =
        static_cast<std::uint32_t>(left < QuadBlock::digits ? left : QuadBlock::digits);
    counts = pack_block(d_digits + first, count, block, has_holes);
  }
  PackedCounts before = 0, total = 0;
  Scan(storage).ExclusiveSum(counts, before, total);
  if (b < block_count) {
    for (std::uint32_t d = 0; d < 4; ++d) {
      block.counts[d] = static_cast<std::uint16_t>(before >> (16 * d));
    }
    if (has_holes) block.counts[0] |= QuadBlock::hole_flag;
    d_blocks[b] = block;
  }
  if (threadIdx.x < 4) {
    d_counts[blockIdx.x].counts[threadIdx.x] = total >> (16 * threadIdx.x) & 0xFFFF;
  }
}

struct IsHole {
  const std::uint8_t* d_digits;
  __device__ bool operator()(std::uint32_t i) const { return d_digits[i] == hole; }
};

}  // namespace

RankBlocks build_rank_blocks_async(const DeviceBuffer<std::uint8_t>& digits, cudaStream_t stream) {
  const std::uint64_t block_count = digits.size() / QuadBlock::digits + 1;
  const unsigned superblocks = blocks_for(block_count, QuadSuperblock::blocks);
  RankBlocks built{DeviceBuffer<QuadBlock>(block_count, stream),
                   DeviceBuffer<QuadSuperblock>(superblocks, stream)};
  build_kernel<<<superblocks, QuadSuperblock::blocks, 0, stream>>>(
      digits.data(), digits.size(), block_count, built.blocks.data(), built.counts.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  return built;
}

DeviceBuffer<std::uint32_t> find_holes(const DeviceBuffer<std::uint8_t>& digits,
                                       std::uint64_t hole_count, cudaStream_t stream) {
  DeviceBuffer<std::uint32_t> positions(hole_count, stream);
  DeviceBuffer<std::uint64_t> d_selected(1, stream);
  run_cub_async(
      [&](void* workspace, std::size_t& bytes) {
        return cub::DeviceSelect::If(workspace, bytes, thrust::counting_iterator<std::uint32_t>(0),
                                     positions.data(), d_selected.data(), digits.size(),
                                     IsHole{digits.data()}, stream);
      },
      stream);
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
  return positions;
}

}  // namespace gsx::cuda
