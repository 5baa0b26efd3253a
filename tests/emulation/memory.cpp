// Memory of the devices: an allocation each, so that AddressSanitizer sees what lies beside it.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <string>

#include "cuda_runtime_api.h"
#include "device.hpp"
#include "emulation/queue.hpp"
#include "options.hpp"
#include "stream.hpp"

namespace gsx::emulation {

struct Pool {
  int device = 0;
  std::uint64_t threshold = 0;
  std::uint64_t used = 0;
  std::uint64_t reserved = 0;  ///< of the device
  bool destroyed = false;      ///< and gone with its last allocation
};

namespace {

constexpr std::size_t alignment = 256;
constexpr std::uint64_t granule = 512;                  ///< of what a pool gives
constexpr std::uint64_t page = std::uint64_t{2} << 20;  ///< of what a device gives

struct Allocation {
  std::size_t bytes;
  int device;
  Pool* pool;          ///< null: the device's own
  bool freed = false;  ///< by work that is still queued
};

struct Memory {
  std::mutex mutex;
  std::map<const char*, Allocation> allocations;
  std::set<Pool*> pools;
  std::array<std::uint64_t, 8> taken{};  ///< of each device
  std::array<Pool, 8> default_pools{};
};

/// Never destroyed: owners of memory may be at the end of the process.
Memory& memory() {
  static auto& memory = *new Memory;
  return memory;
}

std::uint64_t rounded(std::uint64_t bytes, std::uint64_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

std::size_t at(int device) {
  return static_cast<std::size_t>(device);
}

/// Gives what a pool keeps without need back to its device. Pre: locked.
void trim(Pool& pool, std::uint64_t least) {
  const std::uint64_t keep = std::max(rounded(pool.used, page), least);
  if (pool.reserved <= keep) return;
  memory().taken[at(pool.device)] -= pool.reserved - keep;
  pool.reserved = keep;
}

/// A pool does not get what another one keeps. Pre: locked.
bool take(int device, std::uint64_t bytes) {
  auto& taken = memory().taken[at(device)];
  const std::uint64_t all = options().memory;
  if (bytes > all || taken + bytes > all) return false;
  taken += bytes;
  return true;
}

/// Pre: locked.
bool take(Pool& pool, std::uint64_t bytes) {
  const std::uint64_t needed = rounded(pool.used + rounded(bytes, granule), page);
  if (needed > pool.reserved) {
    if (!take(pool.device, needed - pool.reserved)) return false;
    pool.reserved = needed;
  }
  pool.used += rounded(bytes, granule);
  return true;
}

void* new_block(std::size_t bytes) {
  constexpr std::size_t most_rubbish = std::size_t{64} << 20;
  void* block = nullptr;
  if (posix_memalign(&block, alignment, bytes) != 0) return nullptr;
  std::memset(block, 0xA5, std::min(bytes, most_rubbish));
  return block;
}

cudaError_t allocate(void** result, std::size_t bytes, Pool* pool) {
  *result = nullptr;
  use_context();
  if (bytes == 0) return cudaSuccess;
  if (bytes > options().memory) return report(cudaErrorMemoryAllocation);
  const auto try_once = [&] {
    const std::lock_guard lock(memory().mutex);
    const int device = pool == nullptr ? current_device() : pool->device;
    if (!(pool == nullptr ? take(device, rounded(bytes, granule)) : take(*pool, bytes)))
      return false;
    *result = new_block(bytes);
    memory().allocations[static_cast<const char*>(*result)] = {bytes, device, pool};
    return true;
  };
  if (try_once()) return cudaSuccess;
  finish_everything();  // which may free some
  return try_once() ? cudaSuccess : report(cudaErrorMemoryAllocation);
}

/// Pre: locked; the allocation exists.
void release(const char* block) {
  const auto found = memory().allocations.find(block);
  const Allocation allocation = found->second;
  memory().allocations.erase(found);
  if (allocation.pool == nullptr) {
    memory().taken[at(allocation.device)] -= rounded(allocation.bytes, granule);
  } else {
    Pool& pool = *allocation.pool;
    pool.used -= rounded(allocation.bytes, granule);
    trim(pool, pool.destroyed ? 0 : pool.threshold);
    if (pool.destroyed && pool.used == 0) {
      memory().pools.erase(&pool);
      delete &pool;
    }
  }
  std::free(const_cast<char*>(block));
}

/// Marks an allocation as freed.
bool begin_free(const void* block) {
  const std::lock_guard lock(memory().mutex);
  const auto found = memory().allocations.find(static_cast<const char*>(block));
  if (found == memory().allocations.end() || found->second.freed) return false;
  found->second.freed = true;
  return true;
}

void finish_free(const void* block) {
  const std::lock_guard lock(memory().mutex);
  release(static_cast<const char*>(block));
}

/// Fails unless the bytes lie in one allocation that has not been freed.
void require_device_range(const void* begin, std::size_t bytes, const char* what) {
  if (bytes == 0) return;
  const std::lock_guard lock(memory().mutex);
  const auto* const first = static_cast<const char*>(begin);
  auto found = memory().allocations.upper_bound(first);
  const bool inside =
      found != memory().allocations.begin() &&
      (--found, static_cast<std::size_t>(first - found->first) <= found->second.bytes) &&
      bytes <= found->second.bytes - static_cast<std::size_t>(first - found->first);
  if (!inside || found->second.freed) {
    fail(std::string(what) + ": " + std::to_string(bytes) +
         " bytes are not all in one allocation of device memory");
  }
}

void require_host_memory(const void* begin, const char* what) {
  const std::lock_guard lock(memory().mutex);
  const auto* const first = static_cast<const char*>(begin);
  auto found = memory().allocations.upper_bound(first);
  if (found == memory().allocations.begin()) return;
  --found;
  if (static_cast<std::size_t>(first - found->first) < found->second.bytes)
    fail(std::string(what) + ": device memory, where host memory is named");
}

void check_copy(const void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  if (kind == cudaMemcpyDeviceToHost) {
    require_host_memory(to, "the target of a copy");
  } else {
    require_device_range(to, bytes, "the target of a copy");
  }
  if (kind == cudaMemcpyHostToDevice) {
    require_host_memory(from, "the source of a copy");
  } else {
    require_device_range(from, bytes, "the source of a copy");
  }
}

Pool& default_pool(int device) {
  Pool& pool = memory().default_pools[at(device)];
  pool.device = device;
  return pool;
}

}  // namespace
}  // namespace gsx::emulation

using namespace gsx::emulation;

cudaError_t cudaMalloc(void** result, std::size_t bytes) {
  if (const cudaError_t status = begin_call(); status != cudaSuccess) return status;
  return allocate(result, bytes, nullptr);
}

cudaError_t cudaFree(void* block) {
  if (const cudaError_t status = begin_call(); status != cudaSuccess) return status;
  if (block == nullptr) return cudaSuccess;
  finish_everything();
  if (!begin_free(block)) fail("cudaFree of what is no allocation");
  finish_free(block);
  return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  if (const cudaError_t status = begin_call(); status != cudaSuccess) return status;
  *attributes = {cudaMemoryTypeUnregistered, -1};
  const std::lock_guard lock(memory().mutex);
  const auto* const place = static_cast<const char*>(pointer);
  auto next = memory().allocations.upper_bound(place);
  if (next == memory().allocations.begin()) return cudaSuccess;
  const auto& [begin, allocation] = *--next;
  if (place < begin + allocation.bytes && !allocation.freed)
    *attributes = {cudaMemoryTypeDevice, allocation.device};
  return cudaSuccess;
}

cudaError_t cudaMallocFromPoolAsync(void** result, std::size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t) {
  if (const cudaError_t status = begin_call(); status != cudaSuccess) return status;
  return allocate(result, bytes, pool);
}

cudaError_t cudaFreeAsync(void* block, cudaStream_t stream) {
  if (const cudaError_t status = begin_call(); status != cudaSuccess) return status;
  use_context();
  if (!begin_free(block)) fail("cudaFreeAsync of what is no allocation");
  return enqueue(stream, [block] { finish_free(block); });
}

cudaError_t cudaMallocHost(void** result, std::size_t bytes) {
  if (const cudaError_t status = begin_call(); status != cudaSuccess) return status;
  use_context();
  *result = new_block(std::max<std::size_t>(bytes, 1));
  return *result == nullptr ? report(cudaErrorMemoryAllocation) : cudaSuccess;
}

cudaError_t cudaFreeHost(void* block) {
  use_context();
  finish_everything();
  std::free(block);
  return begin_call();
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  if (const cudaError_t status = begin_call(); status != cudaSuccess) return status;
  use_context();
  const std::lock_guard lock(memory().mutex);
  *total = options().memory;
  *free = *total - memory().taken[at(current_device())];
  return cudaSuccess;
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  if (const cudaError_t status = begin_call(); status != cudaSuccess) return status;
  *pool = &default_pool(device);
  return cudaSuccess;
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  if (const cudaError_t status = begin_call(); status != cudaSuccess) return status;
  const std::lock_guard lock(memory().mutex);
  *pool = new Pool{.device = properties->location.id};
  memory().pools.insert(*pool);
  return cudaSuccess;
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  const std::lock_guard lock(memory().mutex);
  if (!memory().pools.contains(pool) || pool->destroyed) fail("a pool is destroyed twice");
  pool->destroyed = true;
  trim(*pool, 0);
  if (pool->used == 0) {
    memory().pools.erase(pool);
    delete pool;
  }
  return begin_call();
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t least) {
  const std::lock_guard lock(memory().mutex);
  trim(*pool, least);
  return begin_call();
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  if (const cudaError_t status = begin_call(); status != cudaSuccess) return status;
  const std::lock_guard lock(memory().mutex);
  *static_cast<std::uint64_t*>(value) =
      attribute == cudaMemPoolAttrReleaseThreshold     ? pool->threshold
      : attribute == cudaMemPoolAttrReservedMemCurrent ? pool->reserved
                                                       : pool->used;
  return cudaSuccess;
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  if (const cudaError_t status = begin_call(); status != cudaSuccess) return status;
  if (attribute != cudaMemPoolAttrReleaseThreshold) return report(cudaErrorInvalidValue);
  const std::lock_guard lock(memory().mutex);
  pool->threshold = *static_cast<const std::uint64_t*>(value);
  return cudaSuccess;
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* access,
                                 std::size_t count) {
  if (const cudaError_t status = begin_call(); status != cudaSuccess) return status;
  for (std::size_t i = 0; i < count; ++i) {
    if (access[i].location.id == pool->device) return report(cudaErrorInvalidValue);
  }
  return cudaSuccess;
}

cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                                std::size_t bytes, cudaStream_t stream) {
  if (const cudaError_t status = begin_call(); status != cudaSuccess) return status;
  for (const auto& [place, device] :
       {std::pair<const void*, int>{to, to_device}, {from, from_device}}) {
    require_device_range(place, bytes, "cudaMemcpyPeerAsync");
    cudaPointerAttributes attributes{};
    (void)cudaPointerGetAttributes(&attributes, place);
    if (attributes.device != device) fail("cudaMemcpyPeerAsync of memory of another GPU");
  }
  return enqueue(stream, [=] { std::memcpy(to, from, bytes); });
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  if (const cudaError_t status = begin_call(); status != cudaSuccess) return status;
  use_context();
  check_copy(to, from, bytes, kind);
  if (bytes == 0) return cudaSuccess;
  return enqueue(stream, [=] { std::memcpy(to, from, bytes); });
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return cudaMemcpyAsync(to, from, bytes, kind, nullptr);
}

cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream) {
  if (const cudaError_t status = begin_call(); status != cudaSuccess) return status;
  use_context();
  require_device_range(to, bytes, "cudaMemsetAsync");
  if (bytes == 0) return cudaSuccess;
  return enqueue(stream, [=] { std::memset(to, value, bytes); });
}
