#include "device.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <string_view>

#include "cuda.h"
#include "emulation/queue.hpp"
#include "options.hpp"
#include "stream.hpp"

namespace gsx::emulation {

struct Context {
  int device;
};

namespace {

constexpr int most_gpus = 8;

struct Devices {
  std::array<Context, most_gpus> contexts{{{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}}};
  std::array<std::atomic<bool>, most_gpus> active{};
  std::atomic<cudaError_t> fault{cudaSuccess};
};

Devices& devices() {
  static Devices devices;
  return devices;
}

int device_count() {
  return std::clamp(options().gpus, 0, most_gpus);
}

/// The contexts that this host thread has pushed. There until the end of the process: owners of
/// memory may go after main() has returned.
class ContextStack {
 public:
  bool empty() const { return size_ == 0; }
  Context*& back() { return contexts_[size_ - 1]; }
  void push_back(Context* context) {
    if (size_ == contexts_.size()) fail("too many contexts are pushed");
    contexts_[size_++] = context;
  }
  void pop_back() { --size_; }

 private:
  std::array<Context*, 64> contexts_{};
  std::size_t size_ = 0;
};

ContextStack& stack() {
  static thread_local constinit ContextStack stack;
  return stack;
}

thread_local cudaError_t last_error = cudaSuccess;

CUresult retain(CUcontext* context, CUdevice device) {
  if (device < 0 || device >= device_count()) return CUDA_ERROR_INVALID_DEVICE;
  *context = &devices().contexts[static_cast<std::size_t>(device)];
  devices().active[static_cast<std::size_t>(device)] = true;
  return CUDA_SUCCESS;
}

CUresult push(CUcontext context) {
  stack().push_back(context);
  return CUDA_SUCCESS;
}

CUresult pop(CUcontext* context) {
  if (stack().empty()) return CUDA_ERROR_INVALID_CONTEXT;
  *context = stack().back();
  stack().pop_back();
  return CUDA_SUCCESS;
}

CUresult get_state(CUdevice device, unsigned* flags, int* active) {
  if (device < 0 || device >= device_count()) return CUDA_ERROR_INVALID_DEVICE;
  *flags = 0;
  *active = devices().active[static_cast<std::size_t>(device)] ? 1 : 0;
  return CUDA_SUCCESS;
}

}  // namespace

int current_device() {
  return stack().empty() || stack().back() == nullptr ? 0 : stack().back()->device;
}

void use_context() {
  devices().active[static_cast<std::size_t>(current_device())] = true;
}

cudaError_t begin_call() {
  return report(devices().fault);
}

void break_devices(cudaError_t error) {
  devices().fault = error;
}

bool devices_are_broken() {
  return devices().fault != cudaSuccess;
}

cudaError_t report(cudaError_t status) {
  if (status != cudaSuccess) last_error = status;
  return status;
}

}  // namespace gsx::emulation

using namespace gsx::emulation;

const char* cudaGetErrorName(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return "cudaSuccess";
    case cudaErrorInvalidValue:
      return "cudaErrorInvalidValue";
    case cudaErrorMemoryAllocation:
      return "cudaErrorMemoryAllocation";
    case cudaErrorInvalidConfiguration:
      return "cudaErrorInvalidConfiguration";
    case cudaErrorInsufficientDriver:
      return "cudaErrorInsufficientDriver";
    case cudaErrorNoDevice:
      return "cudaErrorNoDevice";
    case cudaErrorInvalidDevice:
      return "cudaErrorInvalidDevice";
    case cudaErrorInvalidResourceHandle:
      return "cudaErrorInvalidResourceHandle";
    case cudaErrorNotReady:
      return "cudaErrorNotReady";
    case cudaErrorIllegalAddress:
      return "cudaErrorIllegalAddress";
    case cudaErrorNotSupported:
      return "cudaErrorNotSupported";
  }
  return "an unknown error";
}

const char* cudaGetErrorString(cudaError_t error) {
  return error == cudaErrorMemoryAllocation ? "out of memory" : cudaGetErrorName(error);
}

cudaError_t cudaGetLastError() {
  const cudaError_t error = last_error;
  last_error = devices().fault;
  return error;
}

cudaError_t cudaPeekAtLastError() {
  return last_error;
}

cudaError_t cudaDriverGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int* count) {
  *count = device_count();
  return report(*count == 0 ? cudaErrorNoDevice : cudaSuccess);
}

cudaError_t cudaGetDevice(int* device) {
  *device = current_device();
  return begin_call();
}

cudaError_t cudaSetDevice(int device) {
  CUcontext context = nullptr;
  if (retain(&context, device) != CUDA_SUCCESS) return report(cudaErrorInvalidDevice);
  if (stack().empty()) {
    stack().push_back(context);
  } else {
    stack().back() = context;
  }
  return begin_call();
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  if (device < 0 || device >= device_count()) return report(cudaErrorInvalidDevice);
  *properties = {};
  (void)std::snprintf(properties->name, sizeof properties->name, "emulated GPU");
  properties->major = 9;
  properties->totalGlobalMem = options().memory;
  return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  const auto exists = [](int number) { return number >= 0 && number < device_count(); };
  if (!exists(device) || !exists(peer)) return report(cudaErrorInvalidDevice);
  *can = device == peer ? 0 : 1;
  return begin_call();
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr, int device) {
  if (device < 0 || device >= device_count()) return report(cudaErrorInvalidDevice);
  *value = 4;
  return begin_call();
}

cudaError_t cudaDeviceSynchronize() {
  use_context();
  finish_device(current_device());
  return begin_call();
}

cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** entry, unsigned,
                                             unsigned long long,
                                             cudaDriverEntryPointQueryResult* result) {
  const std::string_view wanted = name;
  *entry = nullptr;
  if (wanted == "cuDevicePrimaryCtxRetain") *entry = reinterpret_cast<void*>(retain);
  if (wanted == "cuCtxPushCurrent") *entry = reinterpret_cast<void*>(push);
  if (wanted == "cuCtxPopCurrent") *entry = reinterpret_cast<void*>(pop);
  if (wanted == "cuDevicePrimaryCtxGetState") *entry = reinterpret_cast<void*>(get_state);
  *result = *entry == nullptr ? cudaDriverEntryPointSymbolNotFound : cudaDriverEntryPointSuccess;
  return cudaSuccess;
}
