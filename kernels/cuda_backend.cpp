// The CUDA back end: finds GPUs and says whether they can be used.
#include <cuda_runtime_api.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "backend/registry.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "kernels/cuda_error.hpp"

namespace gsx {
namespace {

/// Number of GPUs, or DeviceError that says why there is none.
int count_devices() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaSuccess && count > 0) return count;
  (void)cudaGetLastError();
  if (status == cudaErrorInsufficientDriver) {
    int driver = 0;
    (void)cudaDriverGetVersion(&driver);
    throw DeviceError(driver == 0
                          ? std::string("no NVIDIA driver is installed here")
                          : "the NVIDIA driver is too old: it serves CUDA " +
                                std::to_string(driver / 1000) + '.' +
                                std::to_string(driver % 1000 / 10) + ", this gsx needs " +
                                std::to_string(CUDART_VERSION / 1000) + '.' +
                                std::to_string(CUDART_VERSION % 1000 / 10));
  }
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  if (visible != nullptr) {
    throw DeviceError("no GPU is visible: CUDA_VISIBLE_DEVICES is '" + printable(visible) + "'");
  }
  throw DeviceError(status == cudaSuccess || status == cudaErrorNoDevice
                        ? std::string("this machine has no GPU")
                        : std::string("the GPU cannot be used: ") + cudaGetErrorString(status));
}

std::string describe(int device) {
  cudaDeviceProp properties{};
  GSX_CUDA_CHECK(cudaGetDeviceProperties(&properties, device));
  return "cuda:" + std::to_string(device) + " " + properties.name + ", compute capability " +
         std::to_string(properties.major) + '.' + std::to_string(properties.minor) + ", " +
         std::to_string(properties.totalGlobalMem >> 20) + " MiB";
}

}  // namespace

std::vector<std::string> describe_cuda_devices() {
  std::vector<std::string> lines;
  try {
    const int count = count_devices();
    for (int device = 0; device < count; ++device) lines.push_back(describe(device));
  } catch (const Error&) {
    // No device to describe is an answer, not a failure.
  }
  return lines;
}

std::unique_ptr<Backend> make_cuda_backend(int device) {
  const int count = count_devices();
  if (device >= count) {
    throw DeviceError("there is no GPU " + std::to_string(device) + ": this machine has " +
                      std::to_string(count) + (count == 1 ? " (cuda:0)" : ""));
  }
  throw DeviceError(describe(device) +
                    " is usable, but this version of gsx does not build or search on GPUs yet");
}

}  // namespace gsx
