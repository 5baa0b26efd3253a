// cudaSetDevice() cannot be undone: a thread without a context would get one on the first GPU. So
// the primary contexts, which the runtime works in, are put on the driver's stack and taken off.
#include "kernels/base/current_device.hpp"

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <exception>
#include <map>
#include <mutex>
#include <string>

#include "base/error.hpp"
#include "kernels/base/cuda_error.hpp"

namespace gsx::cuda {
namespace {

/// A function of the driver, found by way of the runtime, so that nothing links against the driver.
template <class Function>
Function driver_function(const char* name) {
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult found{};
  GSX_CUDA_CHECK(cudaGetDriverEntryPointByVersion(name, &entry, 12000, cudaEnableDefault, &found));
  if (found != cudaDriverEntryPointSuccess) {
    throw DeviceError(std::string("the NVIDIA driver has no ") + name);
  }
  return reinterpret_cast<Function>(entry);
}

struct Driver {
  using RetainContext = CUresult (*)(CUcontext*, CUdevice);
  using PushContext = CUresult (*)(CUcontext);
  using PopContext = CUresult (*)(CUcontext*);

  RetainContext retain = driver_function<RetainContext>("cuDevicePrimaryCtxRetain");
  PushContext push = driver_function<PushContext>("cuCtxPushCurrent");
  PopContext pop = driver_function<PopContext>("cuCtxPopCurrent");
};

const Driver& driver() {
  static const Driver driver;
  return driver;
}

void require(CUresult result, const char* what, int device) {
  if (result == CUDA_SUCCESS) return;
  throw DeviceError(std::string(what) + " fails on GPU " + std::to_string(device) +
                    ": CUDA error " + std::to_string(static_cast<int>(result)));
}

/// The context of a GPU that the runtime uses. Never given up, as the runtime does not either. The
/// table is never destroyed: the last owner of a buffer may go after main() has returned.
CUcontext primary_context(int device) {
  static std::mutex mutex;
  static auto& contexts = *new std::map<int, CUcontext>;
  const std::lock_guard lock(mutex);
  CUcontext& context = contexts[device];
  if (context == nullptr) {
    require(driver().retain(&context, device), "cuDevicePrimaryCtxRetain", device);
  }
  return context;
}

}  // namespace

CurrentDevice::CurrentDevice(int device) {
  require(driver().push(primary_context(device)), "cuCtxPushCurrent", device);
}

CurrentDevice::CurrentDevice(int device, std::nothrow_t) noexcept {
  try {
    pushed_ = driver().push(primary_context(device)) == CUDA_SUCCESS;
  } catch (const std::exception&) {
    pushed_ = false;
  }
}

CurrentDevice::~CurrentDevice() {
  if (!pushed_) return;
  CUcontext context = nullptr;
  (void)driver().pop(&context);
}

CallersDevice::CallersDevice() {
  CUcontext context = nullptr;
  (void)driver().pop(&context);
  context_ = context;
}

CallersDevice::~CallersDevice() {
  (void)driver().push(static_cast<CUcontext>(context_));
}

int current_device() {
  int device = 0;
  GSX_CUDA_CHECK(cudaGetDevice(&device));
  return device;
}

}  // namespace gsx::cuda
