// An FM-index in device memory.
#pragma once

#include <cstdint>

#include "index/fm/fm_view.hpp"
#include "kernels/arrays/rank/device_wavelet_matrix.hpp"

namespace gsx::cuda {

/// Owns device copies of an FM-index's arrays, without the segment table and the k-mer table;
/// view() points at them.
class DeviceFm {
 public:
  /// Copies from the host and waits. Throws ResourceError, DeviceError.
  DeviceFm(const FmView& host, Transfer& transfer, DeviceStream stream);
  /// `segments`: the same table in device memory, such as DeviceText's.
  FmView view(const SegmentsView& segments) const;

  /// Device bytes that the copies take.
  static std::uint64_t bytes(const FmView& host);

 private:
  FmView sizes_;
  DeviceWaveletMatrix wavelet_;
  DeviceBuffer<std::uint64_t> c_offset_;
  DeviceBuffer<std::uint8_t> samples_;
  DeviceBuffer<std::uint8_t> hole_segments_;
};

}  // namespace gsx::cuda
