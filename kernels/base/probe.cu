#include <cuda_runtime_api.h>

#include "kernels/base/probe.hpp"

namespace gsx::cuda {
namespace {

__global__ void empty_kernel() {}

}  // namespace

bool has_code_for_current_device() {
  cudaFuncAttributes attributes{};
  const bool found = cudaFuncGetAttributes(&attributes, empty_kernel) == cudaSuccess;
  (void)cudaGetLastError();
  return found;
}

}  // namespace gsx::cuda
