#include <algorithm>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/device.hpp"
#include "kernels/base/tuning.hpp"
#include "kernels/search/matches/pair_search.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

constexpr unsigned all_lanes = ~0u;
constexpr unsigned block_warps = block_threads / 32;

__global__ void __launch_bounds__(block_threads)
    look_up_kernel(PairJoin join, std::uint64_t first, std::uint64_t kmers, std::uint64_t* sums,
                   std::uint32_t* begins) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * block_threads + threadIdx.x;
  if (i > kmers) return;
  if (i == kmers) {
    sums[i] = 0;
    return;
  }
  const PairJoin::Samples samples = join.samples(first + i);
  begins[i] = samples.begin;
  sums[i] = samples.end - samples.begin;
}

/// Where pairs go.
struct PairOutput {
  PairKeys keys;
  PairArrays arrays;

  __device__ bool is_full() const {
    return *static_cast<const volatile std::uint64_t*>(arrays.found) > arrays.room;
  }
  __device__ void add(const PairOrder& pair) const {
    const unsigned long long at =
        atomicAdd(reinterpret_cast<unsigned long long*>(arrays.found), 1ull);
    if (at >= arrays.room) return;
    arrays.keys[at] = keys.key(pair);
    arrays.lengths[at] = pair.length;
  }
  /// False if there is no room.
  __device__ bool defer(const OpenPair& open) const {
    const std::uint32_t at = atomicAdd(arrays.deferred, 1u);
    if (at >= arrays.open_room) return false;
    arrays.open[at] = open;
    return true;
  }
};

/// The k-mer of a candidate: the last one whose candidates begin with it or before it. Those
/// without candidates are none of the last.
__device__ std::uint64_t kmer_of(const std::uint64_t* sums, std::uint64_t kmers,
                                 std::uint64_t candidate) {
  std::uint64_t low = 0, high = kmers - 1;
  while (low < high) {
    const std::uint64_t middle = low + (high - low + 1) / 2;
    if (sums[middle] <= candidate) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

/// Each thread takes one candidate at a time, so that a k-mer with many keeps many threads busy.
__global__ void __launch_bounds__(block_threads)
    extend_kernel(const __grid_constant__ PairJoin join, std::uint64_t first, std::uint64_t kmers,
                  std::uint64_t begin, std::uint64_t end,
                  const __grid_constant__ PairOutput output) {
  const std::uint64_t* const sums = output.arrays.sums;
  const std::uint64_t all = sums[kmers];
  const std::uint64_t last = end < all ? end : all;
  const auto report = [&](const PairOrder& pair) { output.add(pair); };
  const auto defer = [&](const OpenPair& open) { return output.defer(open); };
  for (std::uint64_t i = begin + std::uint64_t{blockIdx.x} * block_threads + threadIdx.x; i < last;
       i += std::uint64_t{gridDim.x} * block_threads) {
    if (output.is_full()) return;
    const std::uint64_t kmer = kmer_of(sums, kmers, i);
    const auto sample = static_cast<std::uint32_t>(output.arrays.begins[kmer] + (i - sums[kmer]));
    join.extend(first + kmer, sample, report, defer);
  }
}

/// Compares as many symbols more as the lanes of a warp look at.
template <bool Reverse>
__device__ void go_on_together(const PairExtension& extension, PairCandidate& candidate) {
  constexpr std::uint64_t symbols = tuning::compared_by_lane;
  const std::uint64_t left = candidate.most - candidate.ahead;
  const std::uint64_t skip = threadIdx.x % 32 * symbols;
  std::uint32_t some = 0, equal = 0;
  if (skip < left) {
    some = static_cast<std::uint32_t>(left - skip < symbols ? left - skip : symbols);
    equal = static_cast<std::uint32_t>(extension.common_after<Reverse>(candidate, skip, some));
  }
  const std::uint32_t differ = __ballot_sync(all_lanes, equal < some);
  if (differ != 0) {
    const unsigned lane = lowest_bit32(differ);
    candidate.ahead += lane * symbols + __shfl_sync(all_lanes, equal, static_cast<int>(lane));
    candidate.most = candidate.ahead;
  } else {
    candidate.ahead += left < 32 * symbols ? left : 32 * symbols;
  }
}

/// Each warp takes one open pair at a time.
__global__ void __launch_bounds__(block_threads)
    finish_kernel(const __grid_constant__ PairJoin join,
                  const __grid_constant__ PairOutput output) {
  const std::uint32_t deferred = *output.arrays.deferred;
  const std::uint32_t count =
      deferred < output.arrays.open_room ? deferred : output.arrays.open_room;
  for (std::uint32_t i = blockIdx.x * block_warps + threadIdx.x / 32; i < count;
       i += gridDim.x * block_warps) {
    OpenPair open = output.arrays.open[i];
    const bool reverse = join.is_reverse(open);
    while (open.candidate.is_open()) {
      if (reverse) {
        go_on_together<true>(join.extension, open.candidate);
      } else {
        go_on_together<false>(join.extension, open.candidate);
      }
    }
    if (threadIdx.x % 32 == 0) join.finish(open, [&](const PairOrder& pair) { output.add(pair); });
    __syncwarp();
  }
}

}  // namespace

std::uint64_t pair_workspace_bytes(std::uint64_t kmers) {
  std::size_t bytes = 0;
  std::uint64_t* const sums = nullptr;
  GSX_CUDA_CHECK(cub::DeviceScan::ExclusiveSum(nullptr, bytes, sums, sums, kmers + 1));
  return bytes;
}

void look_up_kmers_async(const PairJoin& join, std::uint64_t first, std::uint64_t kmers,
                         const PairArrays& arrays, cudaStream_t stream) {
  look_up_kernel<<<blocks_for(kmers + 1, block_threads), block_threads, 0, stream>>>(
      join, first, kmers, arrays.sums, arrays.begins);
  GSX_CUDA_CHECK(cudaGetLastError());
  std::size_t bytes = arrays.workspace_bytes;
  GSX_CUDA_CHECK(cub::DeviceScan::ExclusiveSum(arrays.workspace, bytes, arrays.sums, arrays.sums,
                                               kmers + 1, stream));
}

void extend_candidates_async(const PairJoin& join, std::uint64_t first, std::uint64_t kmers,
                             std::uint64_t begin, std::uint64_t end, const PairKeys& keys,
                             const PairArrays& arrays, cudaStream_t stream) {
  const PairOutput output{keys, arrays};
  const unsigned most = multiprocessors() * tuning::walk_blocks;
  extend_kernel<<<std::min(most, blocks_for(end - begin, block_threads)), block_threads, 0,
                  stream>>>(join, first, kmers, begin, end, output);
  GSX_CUDA_CHECK(cudaGetLastError());
  finish_kernel<<<std::min(most, blocks_for(arrays.open_room, block_warps)), block_threads, 0,
                  stream>>>(join, output);
  GSX_CUDA_CHECK(cudaGetLastError());
  GSX_CUDA_CHECK(cudaMemsetAsync(arrays.deferred, 0, sizeof *arrays.deferred, stream));
}

SortedPairs sort_pairs_async(const PairArrays& arrays, std::uint32_t count, std::uint32_t bits,
                             std::uint64_t* other_keys, std::uint64_t* other_lengths,
                             DeviceStream stream) {
  cub::DoubleBuffer<std::uint64_t> keys(arrays.keys, other_keys);
  cub::DoubleBuffer<std::uint64_t> lengths(arrays.lengths, other_lengths);
  run_cub_async(
      [&](void* workspace, std::size_t& bytes) {
        return cub::DeviceRadixSort::SortPairs(workspace, bytes, keys, lengths, count, 0,
                                               static_cast<int>(bits), stream);
      },
      stream);
  return {keys.Current(), lengths.Current()};
}

}  // namespace gsx::cuda
