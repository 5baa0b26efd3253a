#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cub/device/device_scan.cuh>

#include "base/bits.hpp"
#include "kernels/cub_temporary.hpp"
#include "kernels/refine.hpp"
#include "kernels/tuning.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

/// keys[i] = number of i's group, then the symbols that follow the first `depth` of its suffix.
__global__ void text_keys_kernel(KeyLayout layout, std::uint64_t depth,
                                 const std::uint32_t* d_groups, const std::uint32_t* d_positions,
                                 std::uint64_t size, std::uint64_t* d_keys) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= size) return;
  const std::uint32_t width = layout.symbol_bits + layout.length_bits;
  d_keys[i] = std::uint64_t{d_groups[i]} << width | layout.at(d_positions[i] + depth);
}

/// keys[i] = number of i's group, then the rank of the suffix `depth` symbols further on.
__global__ void rank_keys_kernel(const std::uint32_t* d_ranks, std::uint64_t depth,
                                 std::uint32_t rank_bits, const std::uint32_t* d_groups,
                                 const std::uint32_t* d_positions, std::uint64_t size,
                                 std::uint64_t* d_keys) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= size) return;
  d_keys[i] = std::uint64_t{d_groups[i]} << rank_bits | d_ranks[d_positions[i] + depth];
}

/// Groups begin where keys differ. Equal keys that have ended are whole suffixes in the order of
/// their positions already, because every sort is stable and the first began in text order.
template <class Ended>
__global__ void heads_kernel(const std::uint64_t* d_keys, std::uint64_t size, Ended ended,
                             std::uint8_t* d_heads) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= size) return;
  d_heads[i] = i == 0 || d_keys[i] != d_keys[i - 1] || ended(d_keys[i]) ? 1 : 0;
}

__global__ void invert_kernel(const std::uint32_t* d_suffix_array, std::uint64_t n,
                              std::uint32_t* d_ranks) {
  const std::uint64_t row = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (row < n) d_ranks[d_suffix_array[row]] = static_cast<std::uint32_t>(row);
}

/// The rank of every suffix of a group is the row of its head.
__global__ void group_ranks_kernel(const std::uint32_t* d_rows, const std::uint32_t* d_head_slots,
                                   const std::uint32_t* d_positions, std::uint64_t size,
                                   std::uint32_t* d_ranks) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < size) d_ranks[d_positions[i]] = d_rows[d_head_slots[i]];
}

struct TextEnded {
  KeyLayout layout;
  __device__ bool operator()(std::uint64_t key) const { return layout.ended(key); }
};
struct NeverEnded {
  __device__ bool operator()(std::uint64_t) const { return false; }
};

/// Slot of a head, 0 for others: the running maximum is each slot's head.
struct HeadSlot {
  const std::uint8_t* d_heads;
  __host__ __device__ std::uint32_t operator()(std::uint32_t i) const {
    return d_heads[i] != 0 ? i : 0;
  }
};

template <class Ended>
void mark_heads_async(TiedRows& tied, const Ended& ended) {
  heads_kernel<<<blocks_for(tied.size(), block_threads), block_threads, 0, tied.stream()>>>(
      tied.keys(), tied.size(), ended, tied.heads());
  GSX_CUDA_CHECK(cudaGetLastError());
}

}  // namespace

std::uint64_t refine_by_text(TiedRows& tied, const TextView& text, std::uint64_t depth,
                             std::uint32_t* d_suffix_array) {
  const std::uint64_t groups = tied.number_groups();
  const std::uint32_t group_bits = bits_for(groups - 1);
  const KeyLayout layout(text, 64 - group_bits);
  text_keys_kernel<<<blocks_for(tied.size(), block_threads), block_threads, 0, tied.stream()>>>(
      layout, depth, tied.groups(), tied.positions(), tied.size(), tied.keys());
  GSX_CUDA_CHECK(cudaGetLastError());
  tied.sort_async(group_bits + layout.width(), d_suffix_array);
  mark_heads_async(tied, TextEnded{layout});
  tied.compact();
  return depth + layout.keys.symbols;
}

void double_ranks(TiedRows& tied, std::uint64_t n, std::uint64_t depth,
                  std::uint32_t* d_suffix_array) {
  const cudaStream_t stream = tied.stream();
  DeviceBuffer<std::uint32_t> ranks(n, stream);
  DeviceBuffer<std::uint32_t> head_slots(tied.size(), stream);
  const auto rank_groups_async = [&] {
    const auto slots = thrust::make_transform_iterator(thrust::counting_iterator<std::uint32_t>(0),
                                                       HeadSlot{tied.heads()});
    const auto larger = [] __host__ __device__(std::uint32_t a, std::uint32_t b) {
      return a < b ? b : a;
    };
    run_cub_async(
        [&](void* workspace, std::size_t& bytes) {
          return cub::DeviceScan::InclusiveScan(workspace, bytes, slots, head_slots.data(), larger,
                                                tied.size(), stream);
        },
        stream);
    group_ranks_kernel<<<blocks_for(tied.size(), block_threads), block_threads, 0, stream>>>(
        tied.rows(), head_slots.data(), tied.positions(), tied.size(), ranks.data());
    GSX_CUDA_CHECK(cudaGetLastError());
  };
  invert_kernel<<<blocks_for(n, block_threads), block_threads, 0, stream>>>(d_suffix_array, n,
                                                                            ranks.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  rank_groups_async();
  const std::uint32_t rank_bits = bits_for(n - 1);
  for (; tied.size() != 0; depth *= 2) {
    const std::uint32_t group_bits = bits_for(tied.number_groups() - 1);
    rank_keys_kernel<<<blocks_for(tied.size(), block_threads), block_threads, 0, stream>>>(
        ranks.data(), depth, rank_bits, tied.groups(), tied.positions(), tied.size(), tied.keys());
    GSX_CUDA_CHECK(cudaGetLastError());
    tied.sort_async(group_bits + rank_bits, d_suffix_array);
    mark_heads_async(tied, NeverEnded{});
    rank_groups_async();
    tied.compact();
  }
}

}  // namespace gsx::cuda
