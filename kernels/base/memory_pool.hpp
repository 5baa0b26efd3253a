// Device memory in stream order, from a pool of its own or of the caller's.
#pragma once

#include <cuda_runtime_api.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "kernels/base/mailbox.hpp"

namespace gsx::cuda {

/// Which GPUs may read and write memory: its own, or linked ones too. Memory that others reach
/// takes longer to get, because it is mapped for each of them.
enum class MemoryKind : bool { own, linked };

/// What one back end takes of one GPU's memory, counted and limited. Any thread may call.
class MemoryPool {
 public:
  /// Without `of_caller`, a pool that keeps what is freed for the next allocation, and gives all of
  /// it back at its end. The caller's pool must be of the same GPU; its attributes stay as they
  /// are. Pre: the GPU is current. Throws DeviceError.
  MemoryPool(int device, std::uint64_t limit, cudaMemPool_t of_caller = nullptr);
  ~MemoryPool();
  MemoryPool(const MemoryPool&) = delete;
  MemoryPool& operator=(const MemoryPool&) = delete;

  int device() const { return device_; }

  /// `bytes` of memory in the order of the stream. Throws ResourceError that says how many bytes
  /// were asked for and how many are free.
  void* allocate(std::size_t bytes, cudaStream_t stream, MemoryKind kind = MemoryKind::own);
  void free(void* memory, std::size_t bytes, cudaStream_t stream) noexcept;

  /// Lets another GPU that can_reach() this one read and write memory of MemoryKind::linked, which
  /// no other GPU reaches before. Pre: the GPU is current; nothing is allocated at the same time.
  /// Throws DeviceError.
  void let_reach(int device);
  /// Bytes that can still be allocated. Throws DeviceError.
  std::uint64_t available() const;
  /// Most bytes that were in use at a time.
  std::uint64_t peak() const { return peak_; }
  Mailboxes& mailboxes() { return mailboxes_; }

 private:
  std::uint64_t reserve(std::uint64_t bytes);
  cudaMemPool_t pool_of(MemoryKind kind) const {
    return kind == MemoryKind::linked && linked_ != nullptr ? linked_ : pool_;
  }

  int device_;
  std::uint64_t limit_;
  bool own_;
  cudaMemPool_t pool_;
  cudaMemPool_t linked_ = nullptr;  ///< for memory that other GPUs reach, if one may
  std::atomic<std::uint64_t> used_{0};
  std::atomic<std::uint64_t> peak_{0};
  Mailboxes mailboxes_;
};

/// A CUDA stream, and the pool of the memory that work on it takes. A value; stands for the stream
/// wherever CUDA wants one.
struct DeviceStream {
  cudaStream_t stream = nullptr;
  MemoryPool* pool = nullptr;

  operator cudaStream_t() const { return stream; }
};

}  // namespace gsx::cuda
