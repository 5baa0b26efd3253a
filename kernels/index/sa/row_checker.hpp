// The suffix array checker on the GPU.
#pragma once

#include <cstdint>

#include "kernels/base/device_buffer.hpp"
#include "text/text_view.hpp"

namespace gsx::cuda {

/// Whether `rows` is the suffix array of a text in device memory (index/sa/row_check.hpp), whatever
/// it holds. Pre: rows.size() == d_text.length() >= 1; Pos holds every position and one value more.
/// Cost: one scatter and two gathers per row; the inverse array, as large as `rows`. Waits for the
/// stream. Throws ResourceError, DeviceError. Defined for 32-bit and 64-bit entries.
template <class Pos>
bool is_suffix_array(const TextView& d_text, const DeviceBuffer<Pos>& rows, DeviceStream stream);

}  // namespace gsx::cuda
