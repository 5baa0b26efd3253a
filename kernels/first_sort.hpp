// The first sort: every suffix by its first symbols, batch by batch.
#pragma once

#include <cstdint>

#include "base/progress.hpp"
#include "kernels/device_buffer.hpp"
#include "kernels/key_layout.hpp"

namespace gsx::cuda {

/// A suffix array under construction. Bit r of `tied` is set while rows r - 1 and r are not yet
/// told apart.
struct SortedRows {
  DeviceBuffer<std::uint32_t> rows;
  DeviceBuffer<std::uint32_t> tied;  ///< one bit a row, and a word of zeros
};

/// Sorts all suffixes by the keys of `layout`; those that end within their key are in final order.
/// Waits for the stream. Throws ResourceError, DeviceError.
SortedRows sort_by_first_key(const KeyLayout& layout, cudaStream_t stream,
                             const ProgressReport& progress);

}  // namespace gsx::cuda
