#include <memory>

#include "device_calls/selection_checks.hpp"
#include "kernels/base/memory_pool.hpp"
#include "kernels/base/selection.cuh"
#include "kernels/base/stream.hpp"

namespace gsx::testing {
namespace {

using cuda::DeviceBuffer;
using cuda::DeviceStream;
using cuda::Mail;

struct EveryFew {
  std::uint64_t stride, first;
  __device__ bool operator()(std::uint64_t i) const { return i % stride == first; }
};

struct ListKept {
  std::uint64_t* d_kept;
  unsigned long long* d_dropped;
  __device__ void keep(std::uint64_t i, std::uint64_t k) const { d_kept[k] = i; }
  __device__ void drop(std::uint64_t) const { atomicAdd(d_dropped, 1ull); }
};

__global__ void add_kernel(unsigned long long* d_sum, unsigned long long added) {
  atomicAdd(d_sum, added);
}

/// The only pool and stream of a check, with mailboxes in pinned memory or without.
class Own {
 public:
  explicit Own(bool pinned) : pool_(0, ~std::uint64_t{0}) {
    if (pinned) pool_.mailboxes().make(stream_.get());
  }
  DeviceStream stream() { return {stream_.get(), &pool_}; }

 private:
  cuda::MemoryPool pool_;
  cuda::Stream stream_;
};

DeviceSelection selection_of(std::uint64_t elements, const EveryFew& chosen, std::uint64_t added,
                             DeviceStream stream) {
  Mail mail(stream);
  add_kernel<<<1, 1, 0, stream>>>(mail.box().d_sum, added);
  GSX_CUDA_CHECK(cudaGetLastError());
  const cuda::Selection<EveryFew> selection(chosen, elements, stream, mail);
  DeviceBuffer<std::uint64_t> d_kept(selection.size(), stream);
  DeviceBuffer<unsigned long long> d_dropped(1, stream);
  GSX_CUDA_CHECK(cudaMemsetAsync(d_dropped.data(), 0, d_dropped.bytes(), stream));
  selection.move_async(ListKept{d_kept.data(), d_dropped.data()});
  DeviceSelection result{selection.size(), 0, mail.letter(1),
                         std::vector<std::uint64_t>(selection.size())};
  d_kept.copy_to_async(result.kept.data());
  result.dropped = cuda::first_value(d_dropped, stream);
  return result;
}

/// What a mailbox has summed, which is 0 from then on.
std::uint64_t sum_of(Mail& mail, DeviceStream stream) {
  mail.copy_async(mail.box().d_sum, sizeof *mail.box().d_sum, 0);
  GSX_CUDA_CHECK(cudaMemsetAsync(mail.box().d_sum, 0, sizeof *mail.box().d_sum, stream));
  mail.wait();
  return mail.letter(0);
}

}  // namespace

std::vector<DeviceSelection> device_selections(const std::vector<std::uint64_t>& sizes,
                                               std::uint64_t stride, std::uint64_t first,
                                               std::uint64_t added, bool pinned) {
  Own own(pinned);
  std::vector<DeviceSelection> all;
  for (const std::uint64_t size : sizes)
    all.push_back(selection_of(size, {stride, first}, added, own.stream()));
  return all;
}

std::vector<std::uint64_t> sums_of_mailboxes(std::uint64_t count) {
  Own own(true);
  const DeviceStream stream = own.stream();
  std::vector<std::uint64_t> sums;
  for (int time = 0; time < 2; ++time) {
    std::vector<std::unique_ptr<Mail>> mails;
    for (std::uint64_t i = 0; i < count; ++i) {
      mails.push_back(std::make_unique<Mail>(stream));
      add_kernel<<<1, 1, 0, stream>>>(mails.back()->box().d_sum, i);
      GSX_CUDA_CHECK(cudaGetLastError());
    }
    for (const std::unique_ptr<Mail>& mail : mails)
      sums.push_back(sum_of(*mail, stream));
  }
  return sums;
}

std::pair<std::uint64_t, std::uint64_t> sums_of_fresh_mailboxes() {
  Own own(true);
  const DeviceStream stream = own.stream();
  {
    const Mail unread(stream);
    add_kernel<<<1, 1, 0, stream>>>(unread.box().d_sum, 7);
    GSX_CUDA_CHECK(cudaGetLastError());
  }
  Mail mail(stream), other(stream);
  return {sum_of(mail, stream), sum_of(other, stream)};
}

}  // namespace gsx::testing
