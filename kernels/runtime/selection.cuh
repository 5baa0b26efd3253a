// Choosing elements by a predicate and moving them together, in order.
#pragma once

#include <cstdint>
#include <cub/device/device_scan.cuh>

#include "base/bits.hpp"
#include "kernels/runtime/cub_temporary.hpp"
#include "kernels/runtime/device_buffer.hpp"
#include "kernels/runtime/tuning.hpp"

namespace gsx::cuda {

namespace selection {

constexpr unsigned threads = tuning::block_threads;
constexpr unsigned rounds = 16;  // each warp looks at 32 * rounds elements in order
constexpr unsigned tile = threads * rounds;

__device__ inline std::uint64_t element(unsigned round) {
  return std::uint64_t{blockIdx.x} * tile + (threadIdx.x / 32) * 32 * rounds + round * 32 +
         threadIdx.x % 32;
}

/// Which lanes' elements are chosen, round by round; returns how many those are.
template <class Chosen>
__device__ std::uint32_t ballot(const Chosen& chosen, std::uint64_t size,
                                std::uint32_t (&lanes)[rounds]) {
  std::uint32_t sum = 0;
#pragma unroll
  for (unsigned round = 0; round < rounds; ++round) {
    const std::uint64_t i = element(round);
    lanes[round] = __ballot_sync(~0u, i < size && chosen(i));
    sum += static_cast<std::uint32_t>(__popc(lanes[round]));
  }
  return sum;
}

template <class Chosen>
__global__ void __launch_bounds__(threads)
    count_kernel(Chosen chosen, std::uint64_t size, std::uint64_t* d_counts) {
  __shared__ std::uint32_t total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  std::uint32_t lanes[rounds];
  const std::uint32_t sum = ballot(chosen, size, lanes);
  if (threadIdx.x % 32 == 0) atomicAdd(&total, sum);
  __syncthreads();
  if (threadIdx.x == 0) d_counts[blockIdx.x] = total;
}

/// d_ends[b] = chosen elements up to the end of tile b.
template <class Chosen, class Move>
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
    const std::uint64_t i = element(round);
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
      : chosen_(chosen),
        elements_(elements),
        stream_(stream),
        ends_(divide_up(elements, selection::tile), stream) {
    if (elements == 0) return;
    selection::count_kernel<<<tiles(), selection::threads, 0, stream>>>(chosen, elements,
                                                                        ends_.data());
    GSX_CUDA_CHECK(cudaGetLastError());
    run_cub_async(
        [&](void* workspace, std::size_t& bytes) {
          return cub::DeviceScan::InclusiveSum(workspace, bytes, ends_.data(), ends_.data(),
                                               ends_.size(), stream);
        },
        stream);
    GSX_CUDA_CHECK(cudaMemcpyAsync(&size_, ends_.data() + ends_.size() - 1, sizeof size_,
                                   cudaMemcpyDeviceToHost, stream));
    GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
  }
  std::uint64_t size() const { return size_; }

  /// Calls move.keep(i, k) on the device for the k-th chosen element i, and move.drop(i) for the
  /// others. Pre: what `chosen` reads has not changed. Cost: one pass. Asynchronous.
  template <class Move>
  void move_async(const Move& move) const {
    if (elements_ == 0) return;
    selection::move_kernel<<<tiles(), selection::threads, 0, stream_>>>(chosen_, move, elements_,
                                                                        ends_.data());
    GSX_CUDA_CHECK(cudaGetLastError());
  }

 private:
  unsigned tiles() const { return static_cast<unsigned>(ends_.size()); }

  Chosen chosen_;
  std::uint64_t elements_;
  DeviceStream stream_;
  std::uint64_t size_ = 0;
  DeviceBuffer<std::uint64_t> ends_;
};

}  // namespace gsx::cuda
