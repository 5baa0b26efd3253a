#include <span>
#include <utility>
#include <vector>

#include "kernels/rank/rank_blocks.hpp"
#include "kernels/rank/wavelet_levels.hpp"
#include "kernels/runtime/copies.hpp"
#include "kernels/runtime/cub_temporary.hpp"
#include "kernels/runtime/tuning.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

/// Consecutive codes of one digit go to consecutive places, so that a warp fills four short runs.
__global__ void sort_kernel(QuadView level, const std::uint8_t* d_codes, std::uint32_t shift,
                            std::uint8_t* d_sorted) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= level.size) return;
  const std::uint32_t code = d_codes[i];
  if (code == QuadVector::hole) return;
  d_sorted[level.sorted_rank(code >> shift & 3, i)] = static_cast<std::uint8_t>(code);
}

QuadVector level_to_host(const RankBlocks& built, std::uint64_t size,
                         std::span<const std::uint64_t> holes, Transfer& transfer,
                         DeviceStream stream) {
  auto blocks = copy_to_host(built.blocks, "rank blocks", transfer, stream);
  auto counts = copy_to_host(built.counts, "rank superblocks", transfer, stream, 1);
  return QuadVector(size, std::move(blocks), std::move(counts), holes);
}

DeviceQuadVector device_level(const QuadVector& level, DeviceBuffer<QuadBlock> blocks,
                              Transfer& transfer, DeviceStream stream) {
  return {
      std::move(blocks),
      copy_to_device(level.superblocks().data(), level.superblocks().size(), transfer, stream),
      copy_to_device(level.holes().bytes().data(), level.holes().bytes().size(), transfer, stream),
      {}};
}

/// Stable sort of a level's codes by its digit. Waits for the stream.
void sort_by_digit(const QuadView& d_level, const DeviceBuffer<std::uint8_t>& codes,
                   std::uint32_t shift, DeviceBuffer<std::uint8_t>& sorted, DeviceStream stream) {
  if (d_level.size == 0) return;
  sort_kernel<<<blocks_for(d_level.size, block_threads), block_threads, 0, stream>>>(
      d_level, codes.data(), shift, sorted.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
}

}  // namespace

BuiltWaveletMatrix build_wavelet_matrix(DeviceBuffer<std::uint8_t> codes, std::uint32_t bits,
                                        std::span<const std::uint64_t> holes, Transfer& transfer,
                                        DeviceStream stream) {
  const std::uint32_t count = WaveletMatrix::level_count(bits);
  std::uint64_t size = codes.size();
  DeviceBuffer<std::uint8_t> sorted(count > 1 ? size - holes.size() : 0, stream);
  std::vector<QuadVector> levels;
  std::vector<DeviceQuadVector> d_levels;
  for (std::uint32_t level = 0; level < count; ++level) {
    const std::uint32_t shift = 2 * (count - 1 - level);
    RankBlocks built = build_rank_blocks_async(codes.data(), size, shift, stream);
    levels.push_back(level_to_host(
        built, size, level == 0 ? holes : std::span<const std::uint64_t>(), transfer, stream));
    d_levels.push_back(device_level(levels.back(), std::move(built.blocks), transfer, stream));
    if (level + 1 == count) break;
    sort_by_digit(d_levels.back().view(levels.back().view()), codes, shift, sorted, stream);
    if (level == 0) size -= holes.size();
    std::swap(codes, sorted);
  }
  WaveletMatrix host(std::move(levels));
  const WaveletMatrixView view = host.view();
  return {std::move(host), {view, std::move(d_levels)}};
}

}  // namespace gsx::cuda
