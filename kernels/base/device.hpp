// The GPUs of this machine.
#pragma once

#include <cstdint>
#include <string>

#include "device/registry.hpp"
#include "kernels/base/memory_pool.hpp"

namespace gsx::cuda {

/// Number of GPUs, at least 1. Throws DeviceError that says why there is none: no driver, too old a
/// driver, none visible.
int count_devices();

/// "cuda:0 NVIDIA ..., compute capability 9.0, 81559 MiB". Throws DeviceError.
std::string describe_device(int device);

/// What gsx::cuda_facts says.
CudaFacts find_facts();

/// Throws DeviceError when there is no such GPU, when it cannot be used, or when this program holds
/// no code for its architecture. Makes a context on it.
void require_usable(int device);

/// Throws DeviceError when the runtime holds an error of the caller's, which would pass for one of
/// ours. It stays pending.
void require_no_pending_error();

/// Whether work on one GPU can read and write the memory of another. Throws DeviceError.
bool can_reach(int from, int to);

/// The number of the calling thread's current GPU, which is usable. Throws what require_usable
/// does.
int current_usable_device();

/// Number of them on the current device. Throws DeviceError.
unsigned multiprocessors();

/// Size of the second cache of the current device. Throws DeviceError.
std::uint64_t second_cache_bytes();

/// Throws ResourceError when a pool has less than the `bytes` in all that `what` takes. Pre: the
/// pool's GPU is current.
void require_device_bytes(const MemoryPool& pool, std::uint64_t bytes, const std::string& what);

}  // namespace gsx::cuda
