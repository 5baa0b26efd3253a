#include "kernels/arrays/rank/device_wavelet_matrix.hpp"

#include "arrays/rank/quad_vector.hpp"
#include "kernels/arrays/rank/wavelet_kernels.hpp"
#include "kernels/base/copies.hpp"

namespace gsx::cuda {

std::uint64_t packed_bytes(const PackedView& view) {
  return view.bytes == nullptr ? 0 : PackedView::bytes_for(view.size, view.bits);
}

QuadView DeviceQuadVector::view(QuadView host) const {
  host.blocks = blocks.data();
  host.superblocks = superblocks.data();
  host.holes.bytes = holes.data();
  host.select_hints = hints.data();
  return host;
}

DeviceWaveletMatrix::DeviceWaveletMatrix(const WaveletMatrixView& host, Transfer& transfer,
                                         DeviceStream stream)
    : sizes_(host) {
  for (std::uint32_t k = 0; k < host.level_count; ++k) {
    const QuadView& level = host.levels[k];
    levels_.push_back(
        {copy_to_device(level.blocks, QuadVector::block_count(level.size), transfer, stream),
         copy_to_device(level.superblocks, QuadVector::superblock_count(level.size), transfer,
                        stream),
         copy_to_device(level.holes.bytes, packed_bytes(level.holes), transfer, stream),
         DeviceBuffer<std::uint32_t>(level.hint_count(), stream)});
  }
  const WaveletMatrixView copy = view();
  for (std::uint32_t k = 0; k < copy.level_count; ++k) {
    QuadView level = copy.levels[k];
    level.select_hints = nullptr;
    DeviceBuffer<std::uint32_t>& hints = levels_[k].hints;
    find_hints_async(level, hints.size(), hints.data(), stream);
  }
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
}

WaveletMatrixView DeviceWaveletMatrix::view() const {
  WaveletMatrixView view = sizes_;
  for (std::uint32_t k = 0; k < view.level_count; ++k)
    view.levels[k] = levels_[k].view(sizes_.levels[k]);
  return view;
}

std::uint64_t DeviceWaveletMatrix::bytes(const WaveletMatrixView& host) {
  std::uint64_t bytes = 0;
  for (std::uint32_t k = 0; k < host.level_count; ++k) {
    const QuadView& level = host.levels[k];
    bytes += QuadVector::block_count(level.size) * sizeof(QuadBlock) +
             QuadVector::superblock_count(level.size) * sizeof(QuadSuperblock) +
             packed_bytes(level.holes) + level.hint_count() * sizeof(std::uint32_t);
  }
  return bytes;
}

}  // namespace gsx::cuda
