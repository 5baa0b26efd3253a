// Choosing elements by a predicate and moving them together, in order.
#pragma once

#include <cstdint>
#include <cub/device/device_scan.cuh>
#include <optional>

#include "base/bits.hpp"
#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/device_buffer.hpp"
#include "kernels/base/last_block.cuh"
#include "kernels/base/mail.hpp"
#include "kernels/base/tuning.hpp"

namespace gsx::cuda {

namespace selection {

constexpr unsigned threads = tuning::block_threads;

template <unsigned rounds>
constexpr std::uint64_t tile = std::uint64_t{threads} * rounds;
static_assert(tuning::few_to_choose_from / tile<tuning::few_chosen_rounds> <=
              tuning::tiles_of_one_block);

template <unsigned rounds>
__device__ std::uint64_t element(unsigned round) {
  return blockIdx.x * tile<rounds> + (threadIdx.x / 32) * 32 * rounds + round * 32 +
         threadIdx.x % 32;
}

/// Which lanes' elements are chosen, round by round; returns how many those are.
template <unsigned rounds, class Chosen>
__device__ std::uint32_t ballot(const Chosen& chosen, std::uint64_t size,
                                std::uint32_t (&lanes)[rounds]) {
  std::uint32_t sum = 0;
#pragma unroll
  for (unsigned round = 0; round < rounds; ++round) {
    const std::uint64_t i = element<rounds>(round);
    lanes[round] = __ballot_sync(~0u, i < size && chosen(i));
    sum += static_cast<std::uint32_t>(__popc(lanes[round]));
  }
  return sum;
}

/// Replaces the counts of all tiles by their running sums, and returns the last one to all threads
/// of the block.
__device__ inline std::uint64_t scan_tiles(volatile std::uint64_t* d_counts, unsigned tiles) {
  __shared__ std::uint64_t sums[threads / 32];
  const unsigned each = (tiles + threads - 1) / threads;
  const unsigned begin = threadIdx.x * each < tiles ? threadIdx.x * each : tiles;
  const unsigned end = begin + each < tiles ? begin + each : tiles;
  std::uint64_t own = 0;
  for (unsigned i = begin; i < end; ++i)
    own += d_counts[i];
  std::uint64_t before = own;  // with those of lower lanes
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const std::uint64_t lower = __shfl_up_sync(~0u, before, distance);
    if (threadIdx.x % 32 >= distance) before += lower;
  }
  if (threadIdx.x % 32 == 31) sums[threadIdx.x / 32] = before;
  __syncthreads();
  std::uint64_t total = 0;
  before -= own;
  for (unsigned warp = 0; warp < threads / 32; ++warp) {
    if (warp < threadIdx.x / 32) before += sums[warp];
    total += sums[warp];
  }
  for (unsigned i = begin; i < end; ++i) {
    before += d_counts[i];
    d_counts[i] = before;
  }
  return total;
}

/// Counts the chosen elements of each tile. With a mailbox, the last block adds the counts up,
/// and leaves the sum and what the mailbox has summed so far.
template <unsigned rounds, class Chosen>
__global__ void __launch_bounds__(threads)
    count_kernel(Chosen chosen, std::uint64_t size, std::uint64_t* d_counts, Mailbox mailbox) {
  __shared__ std::uint32_t total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  std::uint32_t lanes[rounds];
  const std::uint32_t sum = ballot(chosen, size, lanes);
  if (threadIdx.x % 32 == 0) atomicAdd(&total, sum);
  __syncthreads();
  if (threadIdx.x == 0) d_counts[blockIdx.x] = total;
  if (mailbox.d_arrived == nullptr) return;
  as_last_block(mailbox.d_arrived, [&] {
    const std::uint64_t all = scan_tiles(d_counts, gridDim.x);
    if (threadIdx.x == 0) {
      mailbox.letter[0] = all;
      mailbox.letter[1] = atomicExch(mailbox.d_sum, 0ull);
    }
  });
}

/// d_ends[b] = chosen elements up to the end of tile b.
template <unsigned rounds, class Chosen, class Move>
__global__ void __launch_bounds__(threads)
    move_kernel(Chosen chosen, Move move, std::uint64_t size, const std::uint64_t* d_ends) {
  __shared__ std::uint32_t sums[threads / 32];
  std::uint32_t lanes[rounds];
  const std::uint32_t sum = ballot(chosen, size, lanes);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  std::uint64_t out = blockIdx.x == 0 ? 0 : d_ends[blockIdx.x - 1];
  for (unsigned warp = 0; warp < threadIdx.x / 32; ++warp)
    out += sums[warp];
  const std::uint32_t lower_lanes = (1u << (threadIdx.x % 32)) - 1;
#pragma unroll
  for (unsigned round = 0; round < rounds; ++round) {
    const std::uint64_t i = element<rounds>(round);
    if ((lanes[round] >> (threadIdx.x % 32) & 1) != 0) {
      move.keep(i, out + static_cast<std::uint32_t>(__popc(lanes[round] & lower_lanes)));
    } else if (i < size) {
      move.drop(i);
    }
    out += static_cast<std::uint32_t>(__popc(lanes[round]));
  }
}

}  // namespace selection

/// The elements i of [0, size) for which chosen(i), a function of the device, is true.
template <class Chosen>
class Selection {
 public:
  /// Counts them: one pass. Waits for the stream. Throws ResourceError, DeviceError.
  Selection(const Chosen& chosen, std::uint64_t elements, DeviceStream stream)
      : Selection(chosen, elements, stream, nullptr) {}
  /// The same, and takes what kernels have added up in a mailbox so far to its letter 1.
  Selection(const Chosen& chosen, std::uint64_t elements, DeviceStream stream, Mail& mail)
      : Selection(chosen, elements, stream, &mail) {}
  std::uint64_t size() const { return size_; }

  /// Calls move.keep(i, k) on the device for the k-th chosen element i, and move.drop(i) for the
  /// others. Pre: what `chosen` reads has not changed. Cost: one pass. Asynchronous.
  template <class Move>
  void move_async(const Move& move) const {
    if (elements_ == 0) return;
    in_rounds([&]<unsigned rounds>() {
      selection::move_kernel<rounds>
          <<<tiles(), selection::threads, 0, stream_>>>(chosen_, move, elements_, ends_.data());
    });
    GSX_CUDA_CHECK(cudaGetLastError());
  }

 private:
  Selection(const Chosen& chosen, std::uint64_t elements, DeviceStream stream, Mail* mail)
      : chosen_(chosen), elements_(elements), stream_(stream) {
    if (elements == 0) return;
    in_rounds([&]<unsigned rounds>() {
      ends_ = DeviceBuffer<std::uint64_t>(divide_up(elements, selection::tile<rounds>), stream);
    });
    std::optional<Mail> own;
    count(mail != nullptr ? *mail : own.emplace(stream));
  }

  void count(Mail& mail) {
    const bool by_last_block = tiles() <= tuning::tiles_of_one_block;
    in_rounds([&]<unsigned rounds>() {
      selection::count_kernel<rounds><<<tiles(), selection::threads, 0, stream_>>>(
          chosen_, elements_, ends_.data(), by_last_block ? mail.box() : Mailbox());
    });
    GSX_CUDA_CHECK(cudaGetLastError());
    if (!by_last_block) {
      run_cub_async(
          [&](void* workspace, std::size_t& bytes) {
            return cub::DeviceScan::InclusiveSum(workspace, bytes, ends_.data(), ends_.data(),
                                                 ends_.size(), stream_);
          },
          stream_);
      mail.copy_async(ends_.data() + ends_.size() - 1, sizeof size_, 0);
      mail.copy_async(mail.box().d_sum, sizeof *mail.box().d_sum, 1);
      GSX_CUDA_CHECK(cudaMemsetAsync(mail.box().d_sum, 0, sizeof *mail.box().d_sum, stream_));
    }
    mail.wait();
    size_ = mail.letter(0);
  }

  template <class Launch>
  void in_rounds(const Launch& launch) const {
    if (elements_ <= tuning::few_to_choose_from) {
      launch.template operator()<tuning::few_chosen_rounds>();
    } else {
      launch.template operator()<tuning::chosen_rounds>();
    }
  }
  unsigned tiles() const { return static_cast<unsigned>(ends_.size()); }

  Chosen chosen_;
  std::uint64_t elements_;
  DeviceStream stream_;
  std::uint64_t size_ = 0;
  DeviceBuffer<std::uint64_t> ends_;
};

}  // namespace gsx::cuda
