#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>

#include "base/bits.hpp"
#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/last_block.cuh"
#include "kernels/base/mail.hpp"
#include "kernels/base/tuning.hpp"
#include "kernels/index/sa/group_sort.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;
using tuning::counting_threads;
using tuning::group_limit;

/// Slots a block sorts, and how many it looks at: any group it can sort reaches at most one limit
/// beyond them on either side.
constexpr unsigned sort_tile = 2048;
constexpr unsigned sort_halo = group_limit;
constexpr unsigned sort_window = sort_halo + sort_tile + sort_halo;
static_assert(sort_window % 32 == 0 && sort_halo % 32 == 0);

/// Keys of the slots in sight, and a bit for each head.
struct SortWindow {
  std::uint64_t keys[sort_window];
  std::uint32_t heads[sort_window / 32];
};

/// A slot's group, [begin, end) in the window; empty when it has more than group_limit slots.
struct SortGroup {
  unsigned begin;
  unsigned end;
};

__device__ SortGroup group_of(const SortWindow& w, unsigned i) {
  constexpr unsigned words = sort_halo / 32;
  unsigned word = i / 32;
  std::uint32_t bits = w.heads[word] & (~0u >> (31 - i % 32));
  for (unsigned k = 0; bits == 0 && k < words && word > 0; ++k)
    bits = w.heads[--word];
  if (bits == 0) return {0, 0};
  const unsigned begin = word * 32 + 31 - static_cast<unsigned>(__clz(static_cast<int>(bits)));
  word = i / 32;
  bits = w.heads[word] & (~1u << (i % 32));
  for (unsigned k = 0; bits == 0 && k < words && word + 1 < sort_window / 32; ++k)
    bits = w.heads[++word];
  if (bits == 0) return {0, 0};
  const unsigned end = word * 32 + lowest_bit32(bits);
  if (end - begin > group_limit) return {0, 0};
  return {begin, end};
}

/// Leaves in the mailbox how many slots are in large groups, which `d_large` marks, unless it is
/// null: then there are none.
template <class Pos>
__global__ void __launch_bounds__(counting_threads)
    small_groups_kernel(const std::uint64_t* d_keys, Slots<Pos> from, Slots<Pos> to,
                        std::uint64_t size, EndedKeys ended, std::uint8_t* d_large,
                        Mailbox mailbox) {
  __shared__ SortWindow w;
  __shared__ std::uint32_t large_slots;
  if (threadIdx.x == 0) large_slots = 0;
  const std::uint64_t begin = std::uint64_t{blockIdx.x} * sort_tile;
  const std::uint64_t first = begin < sort_halo ? 0 : begin - sort_halo;
  for (unsigned i = threadIdx.x; i < sort_window; i += counting_threads) {
    const std::uint64_t s = first + i;
    if (s < size) w.keys[i] = d_keys[s];
    // Behind the last slot a new group would begin.
    const std::uint32_t word = __ballot_sync(~0u, s < size ? from.heads[s] != 0 : s == size);
    if (i % 32 == 0) w.heads[i / 32] = word;
  }
  __syncthreads();
  const std::uint64_t end = begin + sort_tile < size ? begin + sort_tile : size;
  for (std::uint64_t s = begin + threadIdx.x; s < end; s += counting_threads) {
    const auto i = static_cast<unsigned>(s - first);
    const SortGroup group = group_of(w, i);
    const bool large = group.end == 0;
    if (d_large != nullptr) d_large[s] = large ? 1 : 0;
    if (large) {
      atomicAdd(&large_slots, 1u);
      continue;
    }
    const std::uint64_t key = w.keys[i];
    unsigned smaller = 0, equal_before = 0;
    for (unsigned j = group.begin; j < group.end; ++j) {
      smaller += w.keys[j] < key;
      equal_before += w.keys[j] == key && j < i;
    }
    const std::uint64_t slot = first + group.begin + smaller + equal_before;
    to.positions[slot] = from.positions[s];
    to.heads[slot] = equal_before == 0 || ended(key) ? 1 : 0;
  }
  if (d_large == nullptr) return;
  __syncthreads();
  if (threadIdx.x == 0 && large_slots != 0) {
    atomicAdd(mailbox.d_sum, static_cast<unsigned long long>(large_slots));
  }
  as_last_block(mailbox.d_arrived, [&] {
    if (threadIdx.x == 0) mailbox.letter[0] = atomicExch(mailbox.d_sum, 0ull);
  });
}

/// Whether the i-th of the chosen slots begins a group.
struct ChosenHead {
  const std::uint8_t* d_heads;
  const std::uint32_t* d_chosen;
  __host__ __device__ std::uint64_t operator()(std::uint64_t i) const {
    return d_heads[d_chosen[i]];
  }
};

/// Adds the keys and positions of chosen slots to the numbers of their groups, which begin with 1.
template <class Pos>
__global__ void gather_kernel(const std::uint64_t* d_keys, const Pos* d_positions,
                              const std::uint32_t* d_chosen, std::uint64_t count,
                              std::uint32_t key_bits, std::uint64_t* d_numbered,
                              Pos* d_chosen_positions) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const std::uint32_t slot = d_chosen[i];
  const std::uint64_t low = d_keys[slot] & ((std::uint64_t{1} << key_bits) - 1);
  d_numbered[i] = (d_numbered[i] - 1) << key_bits | low;
  d_chosen_positions[i] = d_positions[slot];
}

template <class Pos>
__global__ void put_back_kernel(const std::uint64_t* d_numbered, const Pos* d_positions,
                                const std::uint32_t* d_chosen, std::uint64_t count,
                                std::uint32_t key_bits, EndedKeys ended, Slots<Pos> to) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const std::uint32_t slot = d_chosen[i];
  const std::uint64_t key = d_numbered[i] & ((std::uint64_t{1} << key_bits) - 1);
  to.positions[slot] = d_positions[i];
  to.heads[slot] = i == 0 || d_numbered[i] != d_numbered[i - 1] || ended(key) ? 1 : 0;
}

/// Gathers the slots of large groups, sorts them by group and key, and puts them back. The keys and
/// positions that they come from are then room to sort in.
template <class Pos>
void sort_large_groups(std::uint64_t* d_keys, const Slots<Pos>& from, const Slots<Pos>& to,
                       const std::uint32_t* d_chosen, std::uint64_t count, std::uint32_t key_bits,
                       EndedKeys ended, DeviceStream stream) {
  const unsigned blocks = blocks_for(count, block_threads);
  DeviceBuffer<std::uint64_t> numbered(count, stream);
  DeviceBuffer<Pos> positions(count, stream);
  const auto heads = thrust::make_transform_iterator(thrust::counting_iterator<std::uint64_t>(0),
                                                     ChosenHead{from.heads, d_chosen});
  run_cub_async(
      [&](void* workspace, std::size_t& bytes) {
        return cub::DeviceScan::InclusiveSum(workspace, bytes, heads, numbered.data(), count,
                                             stream);
      },
      stream);
  gather_kernel<<<blocks, block_threads, 0, stream>>>(d_keys, from.positions, d_chosen, count,
                                                      key_bits, numbered.data(), positions.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  cub::DoubleBuffer<std::uint64_t> sorted(numbered.data(), d_keys);
  cub::DoubleBuffer<Pos> sorted_positions(positions.data(), from.positions);
  const auto bits = static_cast<int>(key_bits + bits_for(count / group_limit));
  run_cub_async(
      [&](void* workspace, std::size_t& bytes) {
        return cub::DeviceRadixSort::SortPairs(workspace, bytes, sorted, sorted_positions, count, 0,
                                               bits, stream);
      },
      stream);
  put_back_kernel<<<blocks, block_threads, 0, stream>>>(
      sorted.Current(), sorted_positions.Current(), d_chosen, count, key_bits, ended, to);
  GSX_CUDA_CHECK(cudaGetLastError());
}

}  // namespace

std::uint32_t group_number_bits(std::uint64_t size) {
  return bits_for(size / group_limit);
}

template <class Pos>
bool sort_groups(std::uint64_t* d_keys, const Slots<Pos>& from, const Slots<Pos>& to,
                 std::uint64_t size, bool any_large, std::uint32_t key_bits, EndedKeys ended,
                 DeviceStream stream) {
  const unsigned blocks = blocks_for(size, sort_tile);
  if (!any_large) {
    small_groups_kernel<<<blocks, counting_threads, 0, stream>>>(d_keys, from, to, size, ended,
                                                                 nullptr, {});
    GSX_CUDA_CHECK(cudaGetLastError());
    return false;
  }
  DeviceBuffer<std::uint8_t> large(size, stream);
  Mail mail(stream);
  small_groups_kernel<<<blocks, counting_threads, 0, stream>>>(d_keys, from, to, size, ended,
                                                               large.data(), mail.box());
  GSX_CUDA_CHECK(cudaGetLastError());
  mail.wait();
  const std::uint64_t count = mail.letter(0);
  if (count == 0) return false;
  DeviceBuffer<std::uint32_t> chosen(count, stream);
  DeviceBuffer<std::uint64_t> d_count(1, stream);
  run_cub_async(
      [&](void* workspace, std::size_t& bytes) {
        return cub::DeviceSelect::Flagged(workspace, bytes,
                                          thrust::counting_iterator<std::uint32_t>(0), large.data(),
                                          chosen.data(), d_count.data(), size, stream);
      },
      stream);
  large = DeviceBuffer<std::uint8_t>();
  sort_large_groups(d_keys, from, to, chosen.data(), count, key_bits, ended, stream);
  return true;
}

template bool sort_groups(std::uint64_t*, const Slots<std::uint32_t>&, const Slots<std::uint32_t>&,
                          std::uint64_t, bool, std::uint32_t, EndedKeys, DeviceStream);
template bool sort_groups(std::uint64_t*, const Slots<std::uint64_t>&, const Slots<std::uint64_t>&,
                          std::uint64_t, bool, std::uint32_t, EndedKeys, DeviceStream);

}  // namespace gsx::cuda
