// A wavelet matrix in device memory.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "arrays/rank/wavelet_matrix_view.hpp"
#include "kernels/base/device_buffer.hpp"
#include "kernels/base/transfer.hpp"

namespace gsx::cuda {

/// The arrays of a QuadView on the device.
struct DeviceQuadVector {
  DeviceBuffer<QuadBlock> blocks;
  DeviceBuffer<QuadSuperblock> superblocks;
  DeviceBuffer<std::uint8_t> holes;
  DeviceBuffer<std::uint32_t> hints;  ///< of select; may be empty

  /// `host` with the device's arrays in the place of its own.
  QuadView view(QuadView host) const;
};

/// Owns a wavelet matrix on the device; view() points at its arrays.
class DeviceWaveletMatrix {
 public:
  /// Copies from the host, finds the hints, and waits. Throws ResourceError, DeviceError.
  DeviceWaveletMatrix(const WaveletMatrixView& host, Transfer& transfer, DeviceStream stream);
  /// Of levels that are on the device already.
  DeviceWaveletMatrix(const WaveletMatrixView& host, std::vector<DeviceQuadVector> levels)
      : sizes_(host), levels_(std::move(levels)) {}
  WaveletMatrixView view() const;

  /// Device bytes of a copy with hints.
  static std::uint64_t bytes(const WaveletMatrixView& host);

 private:
  WaveletMatrixView sizes_;
  std::vector<DeviceQuadVector> levels_;
};

/// Bytes of a view's array; 0 where it has none, such as the holes of all levels but the first.
std::uint64_t packed_bytes(const PackedView& view);

}  // namespace gsx::cuda
