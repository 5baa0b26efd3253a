#include "kernels/base/cuda_error.hpp"

#include <string>

#include "base/error.hpp"

namespace gsx::cuda {

void check(cudaError_t status, const char* call, const char* file, int line) {
  if (status == cudaSuccess) return;
  (void)cudaGetLastError();
  const std::string what = std::string("CUDA: ") + cudaGetErrorString(status) + " (" +
                           cudaGetErrorName(status) + ") in " + call + " at " + file + ':' +
                           std::to_string(line);
  if (status == cudaErrorMemoryAllocation) throw ResourceError(what);
  throw DeviceError(what);
}

}  // namespace gsx::cuda
