// Calling CUB's two-phase algorithms.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/base/device_buffer.hpp"

namespace gsx::cuda {

/// Calls algorithm(nullptr, bytes) for the size of the workspace, then again with the workspace,
/// which is freed in stream order. Asynchronous. Throws ResourceError, DeviceError.
template <class Algorithm>
void run_cub_async(const Algorithm& algorithm, DeviceStream stream) {
  std::size_t bytes = 0;
  GSX_CUDA_CHECK(algorithm(nullptr, bytes));
  DeviceBuffer<std::uint8_t> workspace(bytes, stream);
  GSX_CUDA_CHECK(algorithm(static_cast<void*>(workspace.data()), bytes));
}

/// Grid size for one thread per element. Pre: fits CUDA's limit of 2^31 - 1 blocks.
inline unsigned blocks_for(std::uint64_t elements, unsigned threads) {
  return static_cast<unsigned>((elements + threads - 1) / threads);
}

}  // namespace gsx::cuda
