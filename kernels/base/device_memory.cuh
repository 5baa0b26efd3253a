// The memory that gsx takes of a GPU on behalf of a caller.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "search/exact/hits.hpp"

namespace gsx {

/// Where the memory for work on the GPU comes from. All work is done on the calling thread's
/// current device, and on the stream that the caller names. That stream and the caller's pool must
/// outlive what is allocated for the caller. A CUDA error that is pending when a function of
/// <gsx/device*.cuh> begins comes out as a DeviceError, and stays pending.
struct DeviceMemory {
  /// The caller's pool, of that device; its attributes stay as they are. Null: a pool of our own,
  /// which returns all its memory to the device with the last owner. A pool that lives longer saves
  /// the time that the driver takes to map memory, so give one where many calls follow one another.
  cudaMemPool_t pool = nullptr;
  std::uint64_t limit = unlimited;  ///< bytes that may be taken at a time
};

}  // namespace gsx
