// A wavelet matrix in device memory.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/runtime/device_buffer.hpp"
#include "kernels/runtime/transfer.hpp"
#include "rank/wavelet_matrix_view.hpp"

namespace gsx::cuda {

/// Owns device copies of a wavelet matrix's levels, and their hints of select; view() points at
/// them.
class DeviceWaveletMatrix {
 public:
  /// Copies from the host, finds the hints, and waits. Throws ResourceError, DeviceError.
  DeviceWaveletMatrix(const WaveletMatrixView& host, Transfer& transfer, cudaStream_t stream);
  WaveletMatrixView view() const;

  /// Device bytes that all this takes.
  static std::uint64_t bytes(const WaveletMatrixView& host);

 private:
  struct Level {
    DeviceBuffer<QuadBlock> blocks;
    DeviceBuffer<QuadSuperblock> superblocks;
    DeviceBuffer<std::uint8_t> holes;
    DeviceBuffer<std::uint32_t> hints;
  };
  WaveletMatrixView sizes_;
  std::vector<Level> levels_;
};

/// Bytes behind a view; none where it has no array. (Only the first level of a wavelet matrix need
/// have a list of holes.)
std::uint64_t packed_bytes(const PackedView& view);

}  // namespace gsx::cuda
