// From one GPU to another.
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/base/current_device.hpp"
#include "kernels/base/device_buffer.hpp"
#include "kernels/base/event.hpp"

namespace gsx::cuda {

/// A copy, on the GPU of `to`, of a buffer of another GPU. It is made on `from`, which is of that
/// GPU, and comes after what has been queued there; what is queued on `to` afterwards comes after
/// it. By way of the host where the GPUs cannot reach each other. Asynchronous. Pre: neither is the
/// null stream. Throws ResourceError, DeviceError.
template <class T>
DeviceBuffer<T> copy_between_gpus(const DeviceBuffer<T>& source, DeviceStream from,
                                  DeviceStream to) {
  const CurrentDevice there(to.pool->device());
  DeviceBuffer<T> target(source.size(), to, MemoryKind::linked);
  if (source.size() == 0) return target;
  order_after(from, to);  // the memory may have been another's before
  const CurrentDevice here(from.pool->device());
  GSX_CUDA_CHECK(cudaMemcpyPeerAsync(target.data(), to.pool->device(), source.data(),
                                     from.pool->device(), source.bytes(), from));
  order_after(to, from);
  return target;
}

}  // namespace gsx::cuda
