// From one GPU to another.
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/runtime/current_device.hpp"
#include "kernels/runtime/device_buffer.hpp"
#include "kernels/runtime/event.hpp"

namespace gsx::cuda {

/// A copy, on the GPU of `to`, of what work on `from` has written to a buffer of another GPU. Work
/// that is queued on either stream afterwards comes after it. By way of the host where the GPUs
/// cannot reach each other. Asynchronous. Throws ResourceError, DeviceError.
template <class T>
DeviceBuffer<T> copy_between_gpus(const DeviceBuffer<T>& source, DeviceStream from,
                                  DeviceStream to) {
  {
    const CurrentDevice current(from.pool->device());  // an event belongs to the GPU it is made on
    order_after(to, from);
  }
  const CurrentDevice current(to.pool->device());
  DeviceBuffer<T> target(source.size(), to);
  if (source.size() != 0) {
    GSX_CUDA_CHECK(cudaMemcpyPeerAsync(target.data(), to.pool->device(), source.data(),
                                       from.pool->device(), source.bytes(), to));
  }
  order_after(from, to);
  return target;
}

}  // namespace gsx::cuda
