#include "kernels/base/memory_pool.hpp"

#include <algorithm>
#include <limits>
#include <new>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "base/out_of_memory.hpp"
#include "kernels/base/cuda_error.hpp"
#include "kernels/base/current_device.hpp"

namespace gsx::cuda {
namespace {

/// A pool gives memory out in units of this size.
constexpr std::uint64_t granule = 512;

std::uint64_t granules(std::uint64_t bytes) {
  return (bytes + granule - 1) / granule * granule;
}

cudaMemPool_t make_pool(int device) {
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.handleTypes = cudaMemHandleTypeNone;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = device;
  cudaMemPool_t pool = nullptr;
  GSX_CUDA_CHECK(cudaMemPoolCreate(&pool, &properties));
  std::uint64_t keep = std::numeric_limits<std::uint64_t>::max();
  const cudaError_t status = cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep);
  if (status != cudaSuccess) (void)cudaMemPoolDestroy(pool);
  GSX_CUDA_CHECK(status);
  return pool;
}

std::uint64_t attribute_of(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
  std::uint64_t value = 0;
  GSX_CUDA_CHECK(cudaMemPoolGetAttribute(pool, attribute, &value));
  return value;
}

[[noreturn]] void fail(std::size_t bytes, std::uint64_t free, const std::string& of) {
  throw OutOfMemoryError("out of GPU memory: " + std::to_string(bytes) + " bytes asked for, " +
                         std::to_string(free) + " of " + of + " are free");
}

}  // namespace

MemoryPool::MemoryPool(int device, std::uint64_t limit, cudaMemPool_t of_caller)
    : device_(device),
      limit_(limit),
      own_(of_caller == nullptr),
      pool_(own_ ? make_pool(device) : of_caller) {}

MemoryPool::~MemoryPool() {
  if (linked_ != nullptr) (void)cudaMemPoolDestroy(linked_);
  if (own_) (void)cudaMemPoolDestroy(pool_);
}

/// Counts `bytes` as used, if the limit allows; returns how many it leaves otherwise.
std::uint64_t MemoryPool::reserve(std::uint64_t bytes) {
  std::uint64_t used = used_;
  do {
    const std::uint64_t left = used < limit_ ? limit_ - used : 0;
    if (bytes > left) return left;
  } while (!used_.compare_exchange_weak(used, used + bytes));
  std::uint64_t peak = peak_;
  while (peak < used + bytes && !peak_.compare_exchange_weak(peak, used + bytes)) {
  }
  return bytes;
}

void* MemoryPool::allocate(std::size_t bytes, cudaStream_t stream, MemoryKind kind) {
  if (bytes == 0) return nullptr;
  const std::uint64_t counted = granules(bytes);
  const std::uint64_t left = reserve(counted);
  if (left < counted) fail(bytes, left, "the " + std::to_string(limit_) + " allowed");
  void* memory = nullptr;
  const cudaMemPool_t pool = pool_of(kind);
  cudaError_t status = cudaMallocFromPoolAsync(&memory, bytes, pool, stream);
  if (status == cudaErrorMemoryAllocation && linked_ != nullptr) {
    // One pool cannot have what the other keeps, nor what work that is still queued frees there.
    (void)cudaGetLastError();
    const CurrentDevice own(device_, std::nothrow);
    (void)cudaDeviceSynchronize();
    (void)cudaMemPoolTrimTo(pool == pool_ ? linked_ : pool_, 0);
    status = cudaMallocFromPoolAsync(&memory, bytes, pool, stream);
  }
  if (status == cudaSuccess) return memory;
  used_ -= counted;
  if (status == cudaErrorMemoryAllocation) {
    (void)cudaGetLastError();
    std::size_t free = 0, total = 0;
    GSX_CUDA_CHECK(cudaMemGetInfo(&free, &total));
    fail(bytes, free, std::to_string(total));
  }
  GSX_CUDA_CHECK(status);
  return nullptr;
}

void MemoryPool::free(void* memory, std::size_t bytes, cudaStream_t stream) noexcept {
  if (memory == nullptr) return;
  // Its owner may go while another GPU is current.
  std::optional<CurrentDevice> own;
  int current = device_;
  if (cudaGetDevice(&current) == cudaSuccess && current != device_)
    own.emplace(device_, std::nothrow);
  (void)cudaFreeAsync(memory, stream);
  used_ -= granules(bytes);
}

void MemoryPool::let_reach(int device) {
  if (linked_ == nullptr) linked_ = make_pool(device_);
  cudaMemAccessDesc access{};
  access.location.type = cudaMemLocationTypeDevice;
  access.location.id = device;
  access.flags = cudaMemAccessFlagsProtReadWrite;
  GSX_CUDA_CHECK(cudaMemPoolSetAccess(linked_, &access, 1));
}

std::uint64_t MemoryPool::available() const {
  std::size_t free = 0, total = 0;
  GSX_CUDA_CHECK(cudaMemGetInfo(&free, &total));
  // What the pools keep without using it can be allocated too.
  std::uint64_t idle = 0;
  for (const cudaMemPool_t pool : {pool_, linked_}) {
    if (pool == nullptr) continue;
    idle += attribute_of(pool, cudaMemPoolAttrReservedMemCurrent) -
            attribute_of(pool, cudaMemPoolAttrUsedMemCurrent);
  }
  const std::uint64_t used = used_;
  return std::min<std::uint64_t>(free + idle, limit_ > used ? limit_ - used : 0);
}

}  // namespace gsx::cuda
