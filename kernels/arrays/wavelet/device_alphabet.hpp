// The distinct values of an array in device memory, and how often each occurs.
#pragma once

#include <cstdint>

#include "kernels/base/device_buffer.hpp"

namespace gsx::cuda {

/// As DistinctValues, on the device.
struct DeviceAlphabet {
  DeviceBuffer<std::uint64_t> values;   ///< ascending
  DeviceBuffer<std::uint64_t> counts;   ///< of each value
  DeviceBuffer<std::uint32_t> symbols;  ///< the table, where there is one
};

/// Waits. Cost: two passes if the values have a table (numbers_in_table), otherwise a radix sort.
/// Memory: 12 bytes per value up to the largest, and 16 per distinct one; or twice the array, and
/// 24 bytes per distinct value. Throws UsageError for more than 2^32 - 1 distinct values,
/// ResourceError, DeviceError. Exists for unsigned integers of 8, 16, 32 and 64 bits.
template <class Value>
DeviceAlphabet find_alphabet(const Value* d_values, std::uint64_t size, DeviceStream stream);

}  // namespace gsx::cuda
