#include "device_calls/contexts.hpp"

#include <cuda.h>

#include "kernels/base/cuda_error.hpp"

namespace gsx::testing {

int visible_devices() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

bool has_context(int device) {
  // By way of the runtime, so that nothing links against the driver.
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult found{};
  GSX_CUDA_CHECK(cudaGetDriverEntryPointByVersion("cuDevicePrimaryCtxGetState", &entry, 12000,
                                                  cudaEnableDefault, &found));
  unsigned flags = 0;
  int active = 0;
  using GetState = CUresult (*)(CUdevice, unsigned*, int*);
  return reinterpret_cast<GetState>(entry)(device, &flags, &active) == CUDA_SUCCESS && active != 0;
}

}  // namespace gsx::testing
