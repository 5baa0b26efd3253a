// Numbers into as few bits as they need, on the device.
#pragma once

#include <cstdint>

#include "base/packed.hpp"
#include "kernels/base/device_buffer.hpp"
#include "kernels/base/transfer.hpp"

namespace gsx::cuda {

/// The values as a packed array in host memory; `what` names it when memory is short.
/// Cost: one pass, and `bits` bits per value on the device and over the bus. Waits for the stream.
/// Pre: every value is below 2^bits. Throws ResourceError, DeviceError.
template <class T>
PackedArray pack_to_host(const DeviceBuffer<T>& values, std::uint32_t bits, const char* what,
                         Transfer& transfer, DeviceStream stream);

}  // namespace gsx::cuda
