// The GPUs of this machine.
#pragma once

#include <cstdint>
#include <string>

#include "backend/registry.hpp"

namespace gsx::cuda {

/// Number of GPUs, at least 1. Throws DeviceError that says why there is none: no driver, too old a
/// driver, none visible.
int count_devices();

/// "cuda:0 NVIDIA ..., compute capability 9.0, 81559 MiB". Throws DeviceError.
std::string describe_device(int device);

/// What gsx::cuda_facts says.
CudaFacts find_facts();

/// Makes a GPU the current one of this thread and keeps the memory it frees for the next
/// allocation. Throws DeviceError when there is no such GPU, when it cannot be used, or when this
/// program holds no code for its architecture.
void use_device(int device);

/// Makes a GPU that use_device has taken the current one of this thread. Throws DeviceError.
void make_current(int device);

/// Of the current device. Throws DeviceError.
unsigned multiprocessors();

/// Bytes that can still be allocated on the current device, which this is, the limit on this
/// program's share considered. Throws DeviceError.
std::uint64_t available_bytes(int device);

/// Throws ResourceError when that is less than the `bytes` in all that `what` takes.
void require_device_bytes(int device, std::uint64_t bytes, const std::string& what);

/// Most bytes of a device's default pool that were in use at a time. Throws DeviceError.
std::uint64_t peak_pool_bytes(int device);

}  // namespace gsx::cuda
