#include "kernels/device_fm.hpp"

#include "kernels/copies.hpp"
#include "rank/quad_vector.hpp"

namespace gsx::cuda {
namespace {

/// Only the first level of a wavelet tree need have a list of holes.
std::uint64_t packed_bytes(const PackedView& view) {
  return view.bytes == nullptr ? 0 : PackedView::bytes_for(view.size, view.bits);
}

/// Codes that the wavelet tree can hold, of the alphabet or not.
std::uint64_t codes_of(const FmView& fm) {
  return std::uint64_t{1} << 2 * fm.bwt.level_count;
}

}  // namespace

DeviceFm::DeviceFm(const FmView& host, Transfer& transfer, cudaStream_t stream) : sizes_(host) {
  for (std::uint32_t k = 0; k < host.bwt.level_count; ++k) {
    const QuadView& level = host.bwt.levels[k];
    levels_.push_back(
        {copy_to_device(level.blocks, QuadVector::block_count(level.size), transfer, stream),
         copy_to_device(level.superblocks, QuadVector::superblock_count(level.size), transfer,
                        stream),
         copy_to_device(level.holes.bytes, packed_bytes(level.holes), transfer, stream)});
  }
  adjustment_ = copy_to_device(host.adjustment, codes_of(host), transfer, stream);
  samples_ = copy_to_device(host.samples.bytes, packed_bytes(host.samples), transfer, stream);
  hole_segments_ =
      copy_to_device(host.hole_segments.bytes, packed_bytes(host.hole_segments), transfer, stream);
}

FmView DeviceFm::view(const SegmentsView& segments) const {
  FmView view = sizes_;
  for (std::uint32_t k = 0; k < view.bwt.level_count; ++k) {
    view.bwt.levels[k].blocks = levels_[k].blocks.data();
    view.bwt.levels[k].superblocks = levels_[k].superblocks.data();
    view.bwt.levels[k].holes.bytes = levels_[k].holes.data();
  }
  view.adjustment = adjustment_.data();
  view.samples.bytes = samples_.data();
  view.hole_segments.bytes = hole_segments_.data();
  view.segments = segments;
  view.kmers = {};
  return view;
}

std::uint64_t DeviceFm::bytes(const FmView& host) {
  std::uint64_t bytes = codes_of(host) * sizeof(std::uint64_t) + packed_bytes(host.samples) +
                        packed_bytes(host.hole_segments);
  for (std::uint32_t k = 0; k < host.bwt.level_count; ++k) {
    const QuadView& level = host.bwt.levels[k];
    bytes += QuadVector::block_count(level.size) * sizeof(QuadBlock) +
             QuadVector::superblock_count(level.size) * sizeof(QuadSuperblock) +
             packed_bytes(level.holes);
  }
  return bytes;
}

}  // namespace gsx::cuda
