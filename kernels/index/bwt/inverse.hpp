// The inverse of the Burrows-Wheeler transform on the device.
#pragma once

#include <cstdint>

#include "index/bwt/bwt_bytes.hpp"
#include "index/sa/suffix_array.hpp"
#include "kernels/base/device_buffer.hpp"

namespace gsx::cuda {

/// The text of a BWT, both in device memory and of the same size, as gsx::invert_bwt gives it.
/// Each thread walks through a piece, and then takes the next that nobody has.
/// Cost: one random sector per symbol. Memory beside both: 1.4 bytes per symbol for four
/// symbols, 6 for more (11 where rows are wide); below 140 million symbols up to 2 and 5 more, so
/// that the whole device has work; and about 100 per segment. Waits. Throws InputError, UsageError,
/// ResourceError, DeviceError.
void invert_bwt(const BwtBytes& d_bwt, std::uint8_t* d_text, PositionWidth width,
                DeviceStream stream);

}  // namespace gsx::cuda
