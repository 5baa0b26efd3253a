// A mailbox in use.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "kernels/runtime/cuda_error.hpp"
#include "kernels/runtime/mailbox.hpp"
#include "kernels/runtime/memory_pool.hpp"

namespace gsx::cuda {

/// A mailbox from when kernels are queued that use it until the host has read its letters. One that
/// was not read, because something failed in between, is not used again.
class Mail {
 public:
  /// Throws ResourceError, DeviceError.
  explicit Mail(DeviceStream stream)
      : stream_(stream), box_(stream.pool->mailboxes().take(stream)) {}
  ~Mail() {
    if (is_read_) stream_.pool->mailboxes().give_back(box_);
  }
  Mail(const Mail&) = delete;
  Mail& operator=(const Mail&) = delete;

  const Mailbox& box() const { return box_; }
  /// Where an algorithm of CUB may leave its number.
  std::uint64_t* letter_to_fill(unsigned i) const {
    return const_cast<std::uint64_t*>(box_.letter) + i;
  }
  /// Copies a number of the device to a letter, where no kernel leaves it. Asynchronous.
  void copy_async(const void* d_number, std::size_t bytes, unsigned letter) {
    GSX_CUDA_CHECK(
        cudaMemcpyAsync(letter_to_fill(letter), d_number, bytes, cudaMemcpyDeviceToHost, stream_));
  }
  /// Waits for the stream; letters can be read from then on. Throws what its work failed with.
  void wait() {
    GSX_CUDA_CHECK(cudaStreamSynchronize(stream_));
    is_read_ = true;
  }
  std::uint64_t letter(unsigned i) const { return box_.letter[i]; }

 private:
  DeviceStream stream_;
  Mailbox box_;
  bool is_read_ = false;
};

}  // namespace gsx::cuda
