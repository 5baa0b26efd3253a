// A mailbox in use.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <optional>

#include "kernels/base/device_buffer.hpp"
#include "kernels/base/mailbox.hpp"

namespace gsx::cuda {

/// A mailbox from when kernels are queued that use it until the host has read its letters: one of
/// the pool's mailboxes, or, where that has none to give, memory of the pool, whose letters are
/// copied. One that was not read, because something failed in between, is not used again.
class Mail {
 public:
  /// Throws ResourceError, DeviceError.
  explicit Mail(DeviceStream stream) : stream_(stream), pinned_(stream.pool->mailboxes().take()) {
    if (pinned_) {
      box_ = *pinned_;
      return;
    }
    own_ = DeviceBuffer<OnDevice>(1, stream);
    GSX_CUDA_CHECK(cudaMemsetAsync(own_.data(), 0, own_.bytes(), stream));
    box_ = {own_.data()->letters, &own_.data()->sum, &own_.data()->arrived};
  }
  ~Mail() {
    if (pinned_ && is_read_) stream_.pool->mailboxes().give_back(*pinned_);
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
    GSX_CUDA_CHECK(cudaMemcpyAsync(letter_to_fill(letter), d_number, bytes,
                                   pinned_ ? cudaMemcpyDeviceToHost : cudaMemcpyDeviceToDevice,
                                   stream_));
  }
  /// Waits for the stream; letters can be read from then on. Throws what its work failed with.
  void wait() {
    if (!pinned_) {
      GSX_CUDA_CHECK(cudaMemcpyAsync(copied_, own_.data()->letters, sizeof copied_,
                                     cudaMemcpyDeviceToHost, stream_));
    }
    GSX_CUDA_CHECK(cudaStreamSynchronize(stream_));
    is_read_ = true;
  }
  std::uint64_t letter(unsigned i) const { return pinned_ ? box_.letter[i] : copied_[i]; }

 private:
  struct OnDevice {
    std::uint64_t letters[Mailbox::letters];
    unsigned long long sum;
    unsigned arrived;
  };

  DeviceStream stream_;
  std::optional<Mailbox> pinned_;
  DeviceBuffer<OnDevice> own_;
  Mailbox box_;
  std::uint64_t copied_[Mailbox::letters] = {};
  bool is_read_ = false;
};

}  // namespace gsx::cuda
