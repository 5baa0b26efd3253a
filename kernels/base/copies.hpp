// Whole arrays across the bus.
#pragma once

#include <cstdint>

#include "base/buffer.hpp"
#include "kernels/base/device_buffer.hpp"
#include "kernels/base/transfer.hpp"

namespace gsx::cuda {

/// A device copy of `size` elements. Waits. Throws ResourceError, DeviceError.
template <class T>
DeviceBuffer<T> copy_to_device(const T* h_source, std::uint64_t size, Transfer& transfer,
                               DeviceStream stream) {
  DeviceBuffer<T> target(size, stream);
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream));  // the buffer exists in stream order
  transfer.to_device(target.data(), h_source, target.bytes());
  return target;
}

/// A host copy, with room for `extra` elements behind it; `what` names it when memory is short.
/// Waits for the stream. Throws ResourceError, DeviceError.
template <class T>
Buffer<T> copy_to_host(const DeviceBuffer<T>& source, const char* what, Transfer& transfer,
                       DeviceStream stream, std::uint64_t extra = 0) {
  Buffer<T> target(source.size() + extra, what);
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
  transfer.to_host(target.data(), source.data(), source.bytes());
  return target;
}

}  // namespace gsx::cuda
