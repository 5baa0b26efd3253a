// A hierarchy of range minima on the device, and batches of queries.
#pragma once

#include <cstdint>

#include "arrays/minima/range_minima.hpp"
#include "kernels/base/device_buffer.hpp"

namespace gsx::cuda {

/// A hierarchy over an array in device memory, which it does not own. Exists for unsigned integers
/// of 8, 16, 32 and 64 bits.
template <class Value>
class DeviceRangeMinima {
 public:
  DeviceRangeMinima() = default;
  /// Pre: the values stay as they are while this is used. Asynchronous. Memory: that of
  /// RangeMinimaView. Cost: one pass over the array. Throws ResourceError, DeviceError.
  DeviceRangeMinima(const Value* d_values, std::uint64_t size, DeviceStream stream);

  RangeMinimaView<Value> view() const { return view_; }
  /// Device memory beside the array.
  std::uint64_t bytes() const { return minima_.bytes() + near_.bytes() + far_.bytes(); }

 private:
  DeviceBuffer<Value> minima_;
  DeviceBuffer<std::uint8_t> near_;
  DeviceBuffer<std::uint64_t> far_;
  RangeMinimaView<Value> view_;
};

/// d_positions[k] is that of the leftmost minimum of d_ranges[k], or d_minima[k] the minimum. Pre:
/// no range is empty, or reaches beyond the array. Asynchronous. Cost: up to two groups of 16
/// values per level. Throws DeviceError.
template <class Value>
void leftmost_minima_async(const RangeMinimaView<Value>& minima, const ValueRange* d_ranges,
                           std::uint64_t count, std::uint64_t* d_positions, cudaStream_t stream);
template <class Value>
void range_minima_async(const RangeMinimaView<Value>& minima, const ValueRange* d_ranges,
                        std::uint64_t count, Value* d_minima, cudaStream_t stream);

}  // namespace gsx::cuda
