// The whole suffix array from an index that keeps a part of it.
#pragma once

#include <cstdint>

#include "index/fm/fm_view.hpp"
#include "kernels/base/device_buffer.hpp"

namespace gsx::cuda {

/// Every row of the suffix array of an index on the device: walks back from every sampled row and
/// every separator to the next sampled row, noting positions on the way.
/// Cost: rows() LF steps and as many scattered writes. Waits for the stream.
/// Throws CorruptIndexError when a walk leads outside the rows, ResourceError, DeviceError.
template <class Pos>
DeviceBuffer<Pos> expand_suffix_array(const FmView& d_fm, DeviceStream stream);

}  // namespace gsx::cuda
