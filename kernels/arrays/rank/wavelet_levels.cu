#include <span>
#include <utility>
#include <vector>

#include "kernels/arrays/rank/digit_sort.hpp"
#include "kernels/arrays/rank/wavelet_levels.hpp"
#include "kernels/base/copies.hpp"

namespace gsx::cuda {
namespace {

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

}  // namespace

BuiltWaveletMatrix finish_wavelet_matrix(RankBlocks level, std::uint64_t size,
                                         std::span<const std::uint64_t> holes, Transfer& transfer,
                                         DeviceStream stream) {
  std::vector<QuadVector> levels;
  std::vector<DeviceQuadVector> d_levels;
  levels.push_back(level_to_host(level, size, holes, transfer, stream));
  d_levels.push_back(device_level(levels.back(), std::move(level.blocks), transfer, stream));
  WaveletMatrix host(std::move(levels));
  const WaveletMatrixView view = host.view();
  return {std::move(host), {view, std::move(d_levels)}};
}

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
    sort_by_digit_async(d_levels.back().view(levels.back().view()), codes.data(), shift, true,
                        sorted.data(), stream);
    GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
    if (level == 0) size -= holes.size();
    std::swap(codes, sorted);
  }
  WaveletMatrix host(std::move(levels));
  const WaveletMatrixView view = host.view();
  return {std::move(host), {view, std::move(d_levels)}};
}

}  // namespace gsx::cuda
