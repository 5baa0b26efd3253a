#include "kernels/index/fm/device_fm.hpp"

#include "kernels/base/copies.hpp"

namespace gsx::cuda {
namespace {

/// Codes that the wavelet matrix can hold, of the alphabet or not.
std::uint64_t codes_of(const FmView& fm) {
  return std::uint64_t{1} << 2 * fm.bwt.level_count;
}

}  // namespace

DeviceFm::DeviceFm(const FmView& host, Transfer& transfer, DeviceStream stream)
    : sizes_(host), wavelet_(host.bwt, transfer, stream) {
  c_offset_ = copy_to_device(host.c_offset, codes_of(host), transfer, stream);
  samples_ = copy_to_device(host.samples.bytes, packed_bytes(host.samples), transfer, stream);
  hole_segments_ =
      copy_to_device(host.hole_segments.bytes, packed_bytes(host.hole_segments), transfer, stream);
}

FmView DeviceFm::view(const SegmentsView& segments) const {
  FmView view = sizes_;
  view.bwt = wavelet_.view();
  view.c_offset = c_offset_.data();
  view.samples.bytes = samples_.data();
  view.hole_segments.bytes = hole_segments_.data();
  view.segments = segments;
  view.kmers = {};
  return view;
}

std::uint64_t DeviceFm::bytes(const FmView& host) {
  return DeviceWaveletMatrix::bytes(host.bwt) + codes_of(host) * sizeof(std::uint64_t) +
         packed_bytes(host.samples) + packed_bytes(host.hole_segments);
}

}  // namespace gsx::cuda
