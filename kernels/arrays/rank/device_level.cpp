#include "kernels/arrays/rank/device_level.hpp"

#include <utility>

#include "arrays/rank/quad_vector.hpp"
#include "kernels/arrays/rank/rank_blocks.hpp"

namespace gsx::cuda {

DeviceLevel::DeviceLevel(const DeviceBuffer<std::uint8_t>& codes,
                         std::span<const std::uint64_t> holes, DeviceStream stream) {
  RankBlocks built = build_rank_blocks_async(codes.data(), codes.size(), 0, stream);
  Buffer<QuadSuperblock> counts(built.counts.size() + 1, "rank superblocks");
  built.counts.copy_to_async(counts.data());
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
  const QuadVector host(codes.size(), {}, std::move(counts), holes);
  sizes_ = host.view();
  arrays_ = {std::move(built.blocks),
             DeviceBuffer<QuadSuperblock>(host.superblocks().size(), stream),
             DeviceBuffer<std::uint8_t>(host.holes().bytes().size(), stream),
             {}};
  arrays_.superblocks.copy_from_async(host.superblocks().data());
  arrays_.holes.copy_from_async(host.holes().bytes().data());
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
}

}  // namespace gsx::cuda
