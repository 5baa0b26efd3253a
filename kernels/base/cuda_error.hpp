// Errors of the CUDA runtime as exceptions.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace gsx::cuda {

/// Throws when `status` is an error: ResourceError for a failed allocation, else DeviceError that
/// names the call, the error and the place. Clears the runtime's sticky error.
void check(cudaError_t status, const char* call, const char* file, int line);

}  // namespace gsx::cuda

/// Every call of the CUDA runtime goes through this.
#define GSX_CUDA_CHECK(call) ::gsx::cuda::check((call), #call, __FILE__, __LINE__)
