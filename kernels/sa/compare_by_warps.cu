#include "base/bits.hpp"
#include "kernels/runtime/cub_temporary.hpp"
#include "kernels/runtime/tuning.hpp"
#include "kernels/sa/resolve.hpp"
#include "sa/suffix_key.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;
using tuning::warp_group_limit;
static_assert(warp_group_limit == 32);

/// How far a warp compares two suffixes: from `depth` on, by up to `rounds` times 32 keys.
struct Reach {
  std::uint64_t depth;
  unsigned rounds;
};

/// For the whole warp: -1, 0 or 1 as the suffix at a is smaller than the one at b, agrees with it
/// as far as they are compared, or is larger. Pre: both are longer than reach.depth, on which they
/// agree.
__device__ int compare_suffixes(const SuffixKeys& keys, std::uint64_t a, std::uint64_t b,
                                Reach reach) {
  const std::uint64_t end_of_a = keys.text.segments.separator_from(a);
  const std::uint64_t end_of_b = keys.text.segments.separator_from(b);
  std::uint64_t at = reach.depth + std::uint64_t{threadIdx.x % 32} * keys.symbols;
  for (unsigned round = 0; round < reach.rounds; ++round, at += 32 * keys.symbols) {
    const std::uint64_t key_a = a + at < end_of_a ? keys.at(a + at, end_of_a) : 0;
    const std::uint64_t key_b = b + at < end_of_b ? keys.at(b + at, end_of_b) : 0;
    // The first lane that tells them apart decides; what later lanes have means nothing.
    const std::uint32_t decided = __ballot_sync(~0u, key_a != key_b || keys.ended(key_a));
    if (decided == 0) continue;
    const int order = key_a < key_b ? -1 : key_a > key_b ? 1 : a < b ? -1 : 1;
    return __shfl_sync(~0u, order, static_cast<int>(lowest_bit32(decided)));
  }
  return 0;
}

/// Each warp sorts the group that begins in its slot, by binary insertion: lane i holds the i-th
/// suffix so far.
template <class Pos>
__global__ void __launch_bounds__(block_threads)
    compare_kernel(SuffixKeys keys, Reach reach, Slots<Pos> from, Slots<Pos> to,
                   std::uint64_t size) {
  const std::uint64_t begin = std::uint64_t{blockIdx.x} * (block_threads / 32) + threadIdx.x / 32;
  if (begin >= size || from.heads[begin] == 0) return;
  const unsigned lane = threadIdx.x % 32;
  const std::uint64_t next = begin + 1 + lane;
  const std::uint32_t ends = __ballot_sync(~0u, next >= size || from.heads[next] != 0);
  const unsigned members = lowest_bit32(ends) + 1;
  const Pos loaded = lane < members ? from.positions[begin + lane] : Pos{0};
  Pos sorted = loaded;  // of lane 0: the first one is sorted
  unsigned head = 1;
  for (unsigned m = 1; m < members; ++m) {
    const Pos added = __shfl_sync(~0u, loaded, static_cast<int>(m));
    unsigned low = 0, high = m;
    bool tied = false;  // with the one before where it goes
    while (low < high) {
      const unsigned middle = (low + high) / 2;
      const Pos other = __shfl_sync(~0u, sorted, static_cast<int>(middle));
      const int order = compare_suffixes(keys, other, added, reach);
      if (order <= 0) {
        low = middle + 1;
        tied = order == 0;
      } else {
        high = middle;
      }
    }
    const Pos sorted_before = __shfl_up_sync(~0u, sorted, 1);
    const unsigned head_before = __shfl_up_sync(~0u, head, 1);
    if (lane > low && lane <= m) {
      sorted = sorted_before;
      head = head_before;
    }
    if (lane == low) {
      sorted = added;
      head = tied ? 0 : 1;
    }
  }
  if (lane < members) {
    to.positions[begin + lane] = sorted;
    to.heads[begin + lane] = static_cast<std::uint8_t>(head);
  }
}

}  // namespace

template <class Pos>
void compare_by_warps(TiedRows<Pos>& tied, const TextView& d_text, std::uint64_t depth,
                      unsigned rounds, DeviceBuffer<Pos>& rows) {
  const DeviceStream stream = tied.stream();
  compare_kernel<<<blocks_for(32 * tied.size(), block_threads), block_threads, 0, stream>>>(
      SuffixKeys(d_text), Reach{depth, rounds}, tied.slots(), tied.other_slots(), tied.size());
  GSX_CUDA_CHECK(cudaGetLastError());
  tied.swap_slots();
  tied.settle(&rows);
}

template void compare_by_warps(TiedRows<std::uint32_t>&, const TextView&, std::uint64_t, unsigned,
                               DeviceBuffer<std::uint32_t>&);
template void compare_by_warps(TiedRows<std::uint64_t>&, const TextView&, std::uint64_t, unsigned,
                               DeviceBuffer<std::uint64_t>&);

}  // namespace gsx::cuda
