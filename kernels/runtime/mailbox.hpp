// Numbers that kernels leave for the host, without a copy of their own.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace gsx::cuda {

/// What kernels need to add a number up over their blocks, and to leave it where the host reads it
/// once it has waited for the stream. To copy one number takes as long as two small kernels; where
/// a text is small, or little of it is still tied, that is much.
struct Mailbox {
  static constexpr unsigned letters = 2;

  volatile std::uint64_t* letter = nullptr;  ///< [letters], in pinned memory of the host
  unsigned long long* d_sum = nullptr;       ///< on the device; 0 between uses
  unsigned* d_arrived = nullptr;             ///< on the device, blocks that are done; likewise
};

/// The mailboxes of one GPU. Any thread may call.
class Mailboxes {
 public:
  Mailboxes();
  ~Mailboxes();
  Mailboxes(const Mailboxes&) = delete;
  Mailboxes& operator=(const Mailboxes&) = delete;

  /// Makes some, on `stream`, which it waits for: best before other things fill the GPU's memory.
  /// Pre: the GPU is current. Throws ResourceError, DeviceError.
  void make_some(cudaStream_t stream);
  /// One that nobody else has. Makes some where none is left.
  Mailbox take(cudaStream_t stream);
  /// Pre: its numbers on the device are 0 again.
  void give_back(const Mailbox& mailbox) noexcept;

 private:
  class Page;
  void add_page(cudaStream_t stream);

  std::mutex mutex_;  ///< of what follows
  std::vector<std::unique_ptr<Page>> pages_;
  std::vector<Mailbox> free_;
};

}  // namespace gsx::cuda
