// Checking an FM-index on the GPU.
#pragma once

#include <cstdint>
#include <optional>

#include "index/fm/bwt_walk.hpp"
#include "index/sa/suffix_array.hpp"
#include "kernels/base/device_buffer.hpp"

namespace gsx::cuda {

/// Walks all pieces of the walk through an index in device memory: the most steps that locating any
/// row takes, or none when a piece meets a fault, which is when the CPU's walk meets one. Each
/// thread takes a piece, and the next when that ends. Pre: all counts are right
/// (arrays/rank/quad_check.hpp), which bounds the work by n steps whatever else the index holds.
/// Cost: n LF steps. Waits for the stream. Throws DeviceError.
std::optional<std::uint64_t> longest_walk(const BwtWalk& d_walk, PositionWidth width,
                                          DeviceStream stream);

}  // namespace gsx::cuda
