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

/// keys[i] = the symbols that follow the first `depth` of its suffix.
__global__ void text_keys_kernel(KeyLayout layout, std::uint64_t depth,
                                 const std::uint32_t* d_positions, std::uint64_t size,
                                 std::uint64_t* d_keys) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < size) d_keys[i] = layout.at(d_positions[i] + depth);
}

/// keys[i] = the rank of the suffix `depth` symbols further on.
__global__ void rank_keys_kernel(const std::uint32_t* d_ranks, std::uint64_t depth,
                                 const std::uint32_t* d_positions, std::uint64_t size,
                                 std::uint64_t* d_keys) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < size) d_keys[i] = d_ranks[d_positions[i] + depth];
}

/// -1, 0 or 1 as the suffix at a is smaller than the one at b, agrees with it on `limit` keys, or
/// is larger. Pre: they agree on their first `depth` symbols.
__device__ int compare_suffixes(const SuffixKeys& keys, std::uint64_t a, std::uint64_t b,
                                std::uint64_t depth, unsigned limit) {
  for (unsigned k = 0; k < limit; ++k, depth += keys.symbols) {
    const std::uint64_t key_a = keys.at(a + depth);
    const std::uint64_t key_b = keys.at(b + depth);
    if (key_a != key_b) return key_a < key_b ? -1 : 1;
    if (keys.ended(key_a)) return a < b ? -1 : 1;
  }
  return 0;
}

/// Sorts each group of at most deep_group_limit slots by comparing its suffixes in the text; larger
/// ones pass as they are.
__global__ void deep_kernel(SuffixKeys keys, std::uint64_t depth, unsigned limit, Slots from,
                            Slots to, std::uint64_t size) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= size) return;
  std::uint64_t begin = i, end = i + 1;
  while (from.heads[begin] == 0 && i - begin <= tuning::deep_group_limit)
    --begin;
  while (end < size && from.heads[end] == 0 && end - begin <= tuning::deep_group_limit)
    ++end;
  const std::uint32_t position = from.positions[i];
  if (from.heads[begin] == 0 || end - begin > tuning::deep_group_limit) {
    to.positions[i] = position;
    to.heads[i] = from.heads[i];
    return;
  }
  unsigned smaller = 0, equal = 0;  // of the others; equal ones only if they come before
  for (std::uint64_t j = begin; j < end; ++j) {
    if (j == i) continue;
    const int order = compare_suffixes(keys, from.positions[j], position, depth, limit);
    smaller += order < 0;
    equal += order == 0 && j < i;
  }
  to.positions[begin + smaller + equal] = position;
  to.heads[begin + smaller + equal] = equal == 0 ? 1 : 0;
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

/// Slot of a head, 0 for others: the running maximum is each slot's head.
struct HeadSlot {
  const std::uint8_t* d_heads;
  __host__ __device__ std::uint32_t operator()(std::uint32_t i) const {
    return d_heads[i] != 0 ? i : 0;
  }
};

}  // namespace

std::uint64_t refine_by_text(TiedRows& tied, const TextView& text, std::uint64_t depth,
                             std::uint32_t* d_suffix_array) {
  const KeyLayout layout(text, 64 - group_number_bits(tied.size()));
  text_keys_kernel<<<blocks_for(tied.size(), block_threads), block_threads, 0, tied.stream()>>>(
      layout, depth, tied.positions(), tied.size(), tied.keys());
  GSX_CUDA_CHECK(cudaGetLastError());
  tied.sort(layout.width(), EndedKeys(layout));
  tied.store_async(d_suffix_array);
  tied.compact();
  return depth + layout.keys.symbols;
}

void compare_in_text(TiedRows& tied, const TextView& text, std::uint64_t depth, unsigned limit,
                     std::uint32_t* d_suffix_array) {
  deep_kernel<<<blocks_for(tied.size(), block_threads), block_threads, 0, tied.stream()>>>(
      SuffixKeys(text), depth, limit, tied.slots(), tied.other_slots(), tied.size());
  GSX_CUDA_CHECK(cudaGetLastError());
  tied.swap_slots();
  tied.store_async(d_suffix_array);
  tied.compact();
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
  for (; tied.size() != 0; depth *= 2) {
    rank_keys_kernel<<<blocks_for(tied.size(), block_threads), block_threads, 0, stream>>>(
        ranks.data(), depth, tied.positions(), tied.size(), tied.keys());
    GSX_CUDA_CHECK(cudaGetLastError());
    tied.sort(bits_for(n - 1), {});
    tied.store_async(d_suffix_array);
    rank_groups_async();
    tied.compact();
  }
}

}  // namespace gsx::cuda
