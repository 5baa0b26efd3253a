#include "kernels/base/device.hpp"

#include <cuda_runtime_api.h>

#include <cstdint>
#include <cstdlib>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "kernels/base/cuda_error.hpp"
#include "kernels/base/current_device.hpp"
#include "kernels/base/probe.hpp"

namespace gsx::cuda {
namespace {

std::string cuda_version(int version) {
  return std::to_string(version / 1000) + '.' + std::to_string(version % 1000 / 10);
}

GpuFacts gpu_facts(int device) {
  GpuFacts facts;
  try {
    cudaDeviceProp properties{};
    GSX_CUDA_CHECK(cudaGetDeviceProperties(&properties, device));
    facts.name = properties.name;
    facts.compute_capability =
        std::to_string(properties.major) + '.' + std::to_string(properties.minor);
    facts.memory_total = properties.totalGlobalMem;
    require_usable(device);
    const CurrentDevice current(device);
    std::size_t free = 0, total = 0;
    GSX_CUDA_CHECK(cudaMemGetInfo(&free, &total));
    facts.memory_free = free;
  } catch (const Error& error) {
    facts.problem = error.what();
  }
  return facts;
}

}  // namespace

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
                          : "the NVIDIA driver is too old: it serves CUDA " + cuda_version(driver) +
                                ", this gsx needs " + cuda_version(CUDART_VERSION));
  }
  if (const char* visible = std::getenv("CUDA_VISIBLE_DEVICES")) {
    throw DeviceError("no GPU is visible: CUDA_VISIBLE_DEVICES is '" + printable(visible) + "'");
  }
  throw DeviceError(status == cudaSuccess || status == cudaErrorNoDevice
                        ? std::string("this machine has no GPU")
                        : std::string("the GPU cannot be used: ") + cudaGetErrorString(status));
}

CudaFacts find_facts() {
  CudaFacts facts;
  facts.runtime = cuda_version(CUDART_VERSION);
  facts.architectures = GSX_CUDA_ARCHITECTURES;
  int driver = 0;
  if (cudaDriverGetVersion(&driver) == cudaSuccess && driver != 0) {
    facts.driver_serves = cuda_version(driver);
  }
  try {
    const int count = count_devices();
    for (int device = 0; device < count; ++device)
      facts.gpus.push_back(gpu_facts(device));
  } catch (const Error& error) {
    facts.problem = error.what();
  }
  return facts;
}

std::string describe_device(int device) {
  cudaDeviceProp properties{};
  GSX_CUDA_CHECK(cudaGetDeviceProperties(&properties, device));
  return "cuda:" + std::to_string(device) + " " + properties.name + ", compute capability " +
         std::to_string(properties.major) + '.' + std::to_string(properties.minor) + ", " +
         std::to_string(properties.totalGlobalMem >> 20) + " MiB";
}

void require_usable(int device) {
  const int count = count_devices();
  if (device < 0 || device >= count) {
    throw DeviceError("there is no GPU " + std::to_string(device) + ": this machine has " +
                      std::to_string(count));
  }
  const CurrentDevice current(device);
  if (!has_code_for_current_device()) {
    throw DeviceError(describe_device(device) +
                      ": this gsx holds no code for it; build gsx with "
                      "its compute capability in CMAKE_CUDA_ARCHITECTURES");
  }
}

void require_no_pending_error() {
  const cudaError_t pending = cudaPeekAtLastError();
  if (pending == cudaSuccess) return;
  throw DeviceError(std::string("a CUDA error from before is pending: ") +
                    cudaGetErrorString(pending));
}

bool can_reach(int from, int to) {
  int can = 0;
  GSX_CUDA_CHECK(cudaDeviceCanAccessPeer(&can, from, to));
  return can != 0;
}

int current_usable_device() {
  require_no_pending_error();
  (void)count_devices();  // says best why there is none
  const int device = current_device();
  require_usable(device);
  return device;
}

unsigned multiprocessors() {
  int count = 0;
  GSX_CUDA_CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, current_device()));
  return static_cast<unsigned>(count);
}

std::uint64_t second_cache_bytes() {
  int bytes = 0;
  GSX_CUDA_CHECK(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, current_device()));
  return static_cast<std::uint64_t>(bytes);
}

void require_device_bytes(const MemoryPool& pool, std::uint64_t bytes, const std::string& what) {
  const std::uint64_t available = pool.available();
  if (bytes <= available) return;
  throw ResourceError("out of GPU memory: " + what + " takes " + std::to_string(bytes) +
                      " bytes, " + std::to_string(available) + " are free for it");
}

}  // namespace gsx::cuda
