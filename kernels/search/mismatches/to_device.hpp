// Arrays of the host, copied to the device.
#pragma once

#include <span>

#include "kernels/base/device_buffer.hpp"

namespace gsx::cuda {

/// A copy in device memory. Asynchronous: the array must live until the stream is synchronised.
/// Throws ResourceError, DeviceError.
template <class T>
DeviceBuffer<T> to_device(std::span<const T> host, DeviceStream stream) {
  DeviceBuffer<T> buffer(host.size(), stream);
  if (!host.empty()) buffer.copy_from_async(host.data());
  return buffer;
}

}  // namespace gsx::cuda
