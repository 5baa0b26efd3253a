#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <algorithm>
#include <cub/device/device_scan.cuh>

#include "base/bits.hpp"
#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/tuning.hpp"
#include "kernels/index/sa/doubling.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

__global__ void invert_kernel(const std::uint32_t* d_order, std::uint64_t size,
                              std::uint32_t* d_ranks) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < size) d_ranks[d_order[i]] = static_cast<std::uint32_t>(i);
}

/// Ranks of all items, and how many of them make a key.
struct RankKeys {
  const std::uint32_t* d_ranks;
  std::uint64_t items;
  std::uint32_t rank_bits;
  std::uint32_t ranks;

  /// As many ranks as fit `bits` bits, or one.
  RankKeys(const DeviceBuffer<std::uint32_t>& of_items, std::uint32_t bits)
      : d_ranks(of_items.data()),
        items(of_items.size()),
        rank_bits(bits_for(items - 1)),
        ranks(std::max(1u, bits / rank_bits)) {}
  std::uint32_t width() const { return ranks * rank_bits; }
};

/// keys[i] = the ranks of what follows `depth` items behind, twice as many behind, and so on. Where
/// items end before, a rank in front has decided already.
__global__ void rank_keys_kernel(RankKeys keys, std::uint64_t depth, const std::uint32_t* d_items,
                                 std::uint64_t size, std::uint64_t* d_keys) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= size) return;
  std::uint64_t key = 0, item = d_items[i];
  for (std::uint32_t k = 0; k < keys.ranks; ++k) {
    item += depth;
    key = key << keys.rank_bits | (item < keys.items ? keys.d_ranks[item] : 0);
  }
  d_keys[i] = key;
}

/// The rank of every item of a group is the place of its head: of groups so small that a thread
/// finds the head by looking at the slots before its own.
__global__ void small_group_ranks_kernel(const std::uint32_t* d_places, const std::uint8_t* d_heads,
                                         const std::uint32_t* d_items, std::uint64_t size,
                                         std::uint32_t* d_ranks) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= size) return;
  std::uint64_t head = i;
  while (d_heads[head] == 0)
    --head;
  d_ranks[d_items[i]] = d_places[head];
}

/// The same of any groups.
__global__ void group_ranks_kernel(const std::uint32_t* d_places, const std::uint32_t* d_head_slots,
                                   const std::uint32_t* d_items, std::uint64_t size,
                                   std::uint32_t* d_ranks) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < size) d_ranks[d_items[i]] = d_places[d_head_slots[i]];
}

/// Slot of a head, 0 for others: the running maximum is each slot's head.
struct HeadSlot {
  const std::uint8_t* d_heads;
  __host__ __device__ std::uint32_t operator()(std::uint32_t i) const {
    return d_heads[i] != 0 ? i : 0;
  }
};

void rank_groups_async(TiedRows<std::uint32_t>& tied, DeviceBuffer<std::uint32_t>& head_slots,
                       DeviceBuffer<std::uint32_t>& ranks) {
  const DeviceStream stream = tied.stream();
  if (!tied.any_large()) {
    small_group_ranks_kernel<<<blocks_for(tied.size(), block_threads), block_threads, 0, stream>>>(
        tied.rows(), tied.heads(), tied.positions(), tied.size(), ranks.data());
    GSX_CUDA_CHECK(cudaGetLastError());
    return;
  }
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
}

}  // namespace

DeviceBuffer<std::uint32_t> double_ranks(const DeviceBuffer<std::uint32_t>& order,
                                         TiedRows<std::uint32_t>& tied) {
  const DeviceStream stream = tied.stream();
  const std::uint64_t size = order.size();
  DeviceBuffer<std::uint32_t> ranks(size, stream);
  invert_kernel<<<blocks_for(size, block_threads), block_threads, 0, stream>>>(order.data(), size,
                                                                               ranks.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  if (tied.size() == 0) return ranks;
  DeviceBuffer<std::uint32_t> head_slots(tied.size(), stream);
  rank_groups_async(tied, head_slots, ranks);
  for (std::uint64_t depth = 1; tied.size() != 0;) {
    const RankKeys keys(ranks, 64 - group_number_bits(tied.size()));
    rank_keys_kernel<<<blocks_for(tied.size(), block_threads), block_threads, 0, stream>>>(
        keys, depth, tied.positions(), tied.size(), tied.keys());
    GSX_CUDA_CHECK(cudaGetLastError());
    tied.sort(keys.width(), {});
    rank_groups_async(tied, head_slots, ranks);
    tied.settle(nullptr);
    depth *= 1 + keys.ranks;
  }
  return ranks;
}

}  // namespace gsx::cuda
