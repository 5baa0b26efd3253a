#include "kernels/base/mailbox.hpp"

#include <cstddef>

#include "kernels/base/cuda_error.hpp"
#include "kernels/base/pinned_buffer.hpp"

namespace gsx::cuda {
namespace {

constexpr std::size_t page_mailboxes = 64;

/// What a mailbox has on the device.
struct Counters {
  unsigned long long sum;
  unsigned arrived;
};

}  // namespace

class Mailboxes::Page {
 public:
  explicit Page(cudaStream_t stream)
      : letters_(page_mailboxes * Mailbox::letters * sizeof(std::uint64_t)) {
    void* memory = nullptr;
    GSX_CUDA_CHECK(cudaMalloc(&memory, page_mailboxes * sizeof(Counters)));
    d_counters_ = static_cast<Counters*>(memory);
    cudaError_t status = cudaMemsetAsync(memory, 0, page_mailboxes * sizeof(Counters), stream);
    // Others may take them for another stream.
    if (status == cudaSuccess) status = cudaStreamSynchronize(stream);
    if (status != cudaSuccess) (void)cudaFree(memory);
    GSX_CUDA_CHECK(status);
  }
  ~Page() { (void)cudaFree(d_counters_); }
  Page(const Page&) = delete;
  Page& operator=(const Page&) = delete;

  Mailbox operator[](std::size_t i) const {
    return {static_cast<std::uint64_t*>(letters_.data()) + i * Mailbox::letters,
            &d_counters_[i].sum, &d_counters_[i].arrived};
  }

 private:
  PinnedBuffer letters_;
  Counters* d_counters_ = nullptr;
};

Mailboxes::Mailboxes() = default;
Mailboxes::~Mailboxes() = default;

void Mailboxes::make(cudaStream_t stream) {
  page_ = std::make_unique<Page>(stream);
  free_.reserve(page_mailboxes);  // so that give_back() cannot fail
  for (std::size_t i = 0; i < page_mailboxes; ++i)
    free_.push_back((*page_)[i]);
}

std::optional<Mailbox> Mailboxes::take() {
  const std::lock_guard lock(mutex_);
  if (free_.empty()) return std::nullopt;
  const Mailbox taken = free_.back();
  free_.pop_back();
  return taken;
}

void Mailboxes::give_back(const Mailbox& mailbox) noexcept {
  const std::lock_guard lock(mutex_);
  free_.push_back(mailbox);
}

}  // namespace gsx::cuda
