// Numbers that kernels leave for the host, without a copy of their own.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace gsx::cuda {

/// What kernels need to add a number up over their blocks, and to leave it where the host reads it
/// once it has waited for the stream. To copy one number takes as long as two small kernels; where
/// a text is small, or little of it is still tied, that is much.
struct Mailbox {
  static constexpr unsigned letters = 2;

  volatile std::uint64_t* letter = nullptr;  ///< [letters]
  unsigned long long* d_sum = nullptr;       ///< on the device; 0 between uses
  unsigned* d_arrived = nullptr;             ///< on the device, blocks that are done; likewise
};

/// The mailboxes of one GPU, with letters in pinned memory of the host. Any thread may call.
class Mailboxes {
 public:
  Mailboxes();
  ~Mailboxes();
  Mailboxes(const Mailboxes&) = delete;
  Mailboxes& operator=(const Mailboxes&) = delete;

  /// Makes some, which take 2 KB of the GPU that no pool counts; before, there are none. Waits for
  /// `stream`. Pre: the GPU is current; nobody else uses them yet. Throws ResourceError,
  /// DeviceError.
  void make(cudaStream_t stream);
  /// One that nobody else has, if there is one.
  std::optional<Mailbox> take();
  /// Pre: its numbers on the device are 0 again.
  void give_back(const Mailbox& mailbox) noexcept;

 private:
  class Page;

  std::unique_ptr<Page> page_;
  std::mutex mutex_;
  std::vector<Mailbox> free_;
};

}  // namespace gsx::cuda
