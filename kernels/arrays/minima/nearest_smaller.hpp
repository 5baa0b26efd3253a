// Nearest smaller values on the device.
#pragma once

#include <cstdint>

#include "arrays/minima/no_position.hpp"
#include "kernels/base/device_buffer.hpp"

namespace gsx::cuda {

/// Writes the positions of the nearest smaller values of values d_values[0, size), as
/// gsx::nearest_smaller() has them, to d_left and d_right; null takes nothing. Pre: Position can
/// hold the positions. Asynchronous; the values are read until the stream has done the work.
///
/// A block takes a tile of the array. Its warps resolve most elements within chunks of 32; the
/// others find the nearest chunk of the tile with a smaller value by minima of 2^k chunks, and what
/// is left climbs through a hierarchy of the whole array. So no array takes more than O(log n)
/// steps per element, and sorted and equal values need no more memory than others.
/// Memory: that of RangeMinimaView. Cost: one pass. Throws ResourceError, DeviceError.
template <class Value, class Position>
void nearest_smaller_async(const Value* d_values, std::uint64_t size, const SmallerRules& rules,
                           Position* d_left, Position* d_right, DeviceStream stream);

}  // namespace gsx::cuda
