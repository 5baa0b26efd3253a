// One level of digits that only the device needs.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/arrays/rank/device_wavelet_matrix.hpp"
#include "kernels/base/device_buffer.hpp"

namespace gsx::cuda {

/// Owns a QuadView on the device.
class DeviceLevel {
 public:
  /// Of codes below 4, QuadVector::hole at `holes`, which are ascending. Only counts and holes
  /// cross the bus. Cost: one pass. Waits. Throws ResourceError, DeviceError.
  DeviceLevel(const DeviceBuffer<std::uint8_t>& codes, std::span<const std::uint64_t> holes,
              DeviceStream stream);

  QuadView view() const { return arrays_.view(sizes_); }

 private:
  QuadView sizes_;
  DeviceQuadVector arrays_;
};

}  // namespace gsx::cuda
