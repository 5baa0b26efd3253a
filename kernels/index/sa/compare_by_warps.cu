#include "base/bits.hpp"
#include "index/sa/suffix_key.hpp"
#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/mail.hpp"
#include "kernels/base/tuning.hpp"
#include "kernels/index/sa/resolve.hpp"
#include "kernels/text/code_before.hpp"

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

/// How two suffixes compare.
struct Comparison {
  /// -1, 0 or 1 as the first one is smaller, agrees as far as they are compared, or is larger.
  int order;
  unsigned keys;  ///< on which they agree
};

/// For the whole warp: how the suffixes at a and b compare. Pre: both are longer than reach.depth,
/// on which they agree.
__device__ Comparison compare_suffixes(const SuffixKeys& keys, std::uint64_t a, std::uint64_t b,
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
    const unsigned decider = lowest_bit32(decided);
    return {__shfl_sync(~0u, order, static_cast<int>(decider)), 32 * round + decider};
  }
  return {0, 32 * reach.rounds};
}

/// Each warp adds the keys on which two tied suffixes agree; `probes` warps look at pairs all over
/// the slots.
template <class Pos>
__global__ void __launch_bounds__(block_threads)
    probe_kernel(SuffixKeys keys, Reach reach, Slots<Pos> slots, std::uint64_t size,
                 std::uint64_t probes, unsigned long long* d_keys) {
  const std::uint64_t probe = std::uint64_t{blockIdx.x} * (block_threads / 32) + threadIdx.x / 32;
  if (probe >= probes) return;
  const std::uint64_t slot = probe * size / probes;
  const std::uint64_t other = slots.heads[slot] != 0 ? slot + 1 : slot - 1;
  const Comparison found =
      compare_suffixes(keys, slots.positions[slot], slots.positions[other], reach);
  if (threadIdx.x % 32 == 0) atomicAdd(d_keys, static_cast<unsigned long long>(found.keys));
}

using tuning::compared_stretch;
constexpr std::uint32_t agree_throughout = ~std::uint32_t{0};

/// d_agreed[slot] = the rounds on which a suffix and the one tied before it agree, or
/// agree_throughout; `stretches` warps compare a stretch of each pair. Pre: d_agreed[slot] is
/// agree_throughout.
template <class Pos>
__global__ void __launch_bounds__(block_threads)
    agree_kernel(SuffixKeys keys, std::uint64_t depth, std::uint64_t stretches, Slots<Pos> slots,
                 std::uint64_t size, std::uint32_t* d_agreed) {
  const std::uint64_t warp = std::uint64_t{blockIdx.x} * (block_threads / 32) + threadIdx.x / 32;
  const std::uint64_t slot = warp / stretches;
  if (slot >= size || slots.heads[slot] != 0) return;
  const auto begin = static_cast<std::uint32_t>(warp % stretches * compared_stretch);
  // All lanes must decide alike, while another warp may write.
  if (__any_sync(~0u, *static_cast<volatile std::uint32_t*>(d_agreed + slot) <= begin)) return;
  const Reach reach{depth + std::uint64_t{begin} * 32 * keys.symbols, compared_stretch};
  const Comparison found =
      compare_suffixes(keys, slots.positions[slot - 1], slots.positions[slot], reach);
  if (threadIdx.x % 32 == 0 && found.keys < 32 * compared_stretch)
    atomicMin(d_agreed + slot, begin + found.keys / 32);
}

/// The least value of any lane of the warp.
__device__ std::uint32_t least_of_warp(std::uint32_t value) {
  for (unsigned distance = 16; distance != 0; distance /= 2) {
    const std::uint32_t other = __shfl_xor_sync(~0u, value, static_cast<int>(distance));
    if (other < value) value = other;
  }
  return value;
}

/// For the whole warp, of whose lanes the first `members` hold tied suffixes: whether the lane's
/// suffix begins a group, or its group ends because all have the same code before them.
__device__ bool is_told_apart(const TextView& text, std::uint64_t position, bool head,
                              unsigned members) {
  const unsigned lane = threadIdx.x % 32;
  const std::uint16_t code = lane < members ? code_before(text, position) : std::uint16_t{0};
  const std::uint16_t previous = __shfl_up_sync(~0u, code, 1);
  const bool unlike = lane < members && !head && previous != code;
  const std::uint32_t heads = __ballot_sync(~0u, lane >= members || head);
  const std::uint32_t mixed = __ballot_sync(~0u, unlike);
  const std::uint32_t behind = heads & (~1u << lane);
  const std::uint32_t before_next = behind == 0 ? ~0u : (1u << lowest_bit32(behind)) - 1;
  const std::uint32_t up_to_here = heads & (~0u >> (31 - lane));
  const std::uint32_t from_head =
      up_to_here == 0 ? ~0u : ~0u << (31 - __clz(static_cast<int>(up_to_here)));
  return head || (mixed & before_next & from_head) == 0;
}

/// Each warp sorts the group that begins in its slot, by binary insertion: lane i holds the i-th
/// suffix so far. d_agreed, of agree_kernel, tells from where on, and which groups to leave; it may
/// be null.
template <bool with_order, class Pos>
__global__ void __launch_bounds__(block_threads)
    compare_kernel(SuffixKeys keys, Reach reach, const std::uint32_t* d_agreed, Slots<Pos> from,
                   Slots<Pos> to, std::uint64_t size) {
  const std::uint64_t begin = std::uint64_t{blockIdx.x} * (block_threads / 32) + threadIdx.x / 32;
  if (begin >= size || from.heads[begin] == 0) return;
  const unsigned lane = threadIdx.x % 32;
  const std::uint64_t next = begin + 1 + lane;
  const std::uint32_t ends = __ballot_sync(~0u, next >= size || from.heads[next] != 0);
  const unsigned members = lowest_bit32(ends) + 1;
  const Pos loaded = lane < members ? from.positions[begin + lane] : Pos{0};
  Pos sorted = loaded;  // of lane 0: the first one is sorted
  unsigned head = 1;
  bool leave = false;
  if (d_agreed != nullptr) {
    const std::uint32_t agreed =
        least_of_warp(lane > 0 && lane < members ? d_agreed[begin + lane] : agree_throughout);
    leave = agreed == agree_throughout;
    if (leave) head = lane == 0 ? 1 : 0;
    reach.depth += std::uint64_t{agreed} * 32 * keys.symbols;
  }
  for (unsigned m = 1; m < members && !leave; ++m) {
    const Pos added = __shfl_sync(~0u, loaded, static_cast<int>(m));
    unsigned low = 0, high = m;
    bool tied = false;  // with the one before where it goes
    while (low < high) {
      const unsigned middle = (low + high) / 2;
      const Pos other = __shfl_sync(~0u, sorted, static_cast<int>(middle));
      const int order = compare_suffixes(keys, other, added, reach).order;
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
  if constexpr (!with_order) {
    if (is_told_apart(keys.text, sorted, head != 0, members)) head = 1;
  }
  if (lane < members) {
    to.positions[begin + lane] = sorted;
    to.heads[begin + lane] = static_cast<std::uint8_t>(head);
  }
}

template <class Pos>
void compare_from(TiedRows<Pos>& tied, const TextView& d_text, Reach reach,
                  const std::uint32_t* d_agreed, bool with_order, DeviceBuffer<Pos>& rows) {
  const auto kernel = with_order ? compare_kernel<true, Pos> : compare_kernel<false, Pos>;
  kernel<<<blocks_for(32 * tied.size(), block_threads), block_threads, 0, tied.stream()>>>(
      SuffixKeys(d_text), reach, d_agreed, tied.slots(), tied.other_slots(), tied.size());
  GSX_CUDA_CHECK(cudaGetLastError());
  tied.swap_slots();
  tied.settle(&rows);
}

}  // namespace

template <class Pos>
void compare_by_warps(TiedRows<Pos>& tied, const TextView& d_text, std::uint64_t depth,
                      unsigned rounds, bool with_order, DeviceBuffer<Pos>& rows) {
  compare_from(tied, d_text, {depth, rounds}, nullptr, with_order, rows);
}

template <class Pos>
void compare_by_grid(TiedRows<Pos>& tied, const TextView& d_text, std::uint64_t depth,
                     std::uint64_t stretches, bool with_order, DeviceBuffer<Pos>& rows) {
  const DeviceStream stream = tied.stream();
  DeviceBuffer<std::uint32_t> agreed(tied.size(), stream);
  GSX_CUDA_CHECK(cudaMemsetAsync(agreed.data(), 0xFF, agreed.bytes(), stream));
  agree_kernel<<<blocks_for(32 * tied.size() * stretches, block_threads), block_threads, 0,
                 stream>>>(SuffixKeys(d_text), depth, stretches, tied.slots(), tied.size(),
                           agreed.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  compare_from(tied, d_text, {depth, compared_stretch}, agreed.data(), with_order, rows);
}

template <class Pos>
double mean_agreement(TiedRows<Pos>& tied, const TextView& d_text, std::uint64_t depth,
                      std::uint64_t probes, unsigned most) {
  const DeviceStream stream = tied.stream();
  DeviceBuffer<unsigned long long> keys(1, stream);
  GSX_CUDA_CHECK(cudaMemsetAsync(keys.data(), 0, keys.bytes(), stream));
  probe_kernel<<<blocks_for(32 * probes, block_threads), block_threads, 0, stream>>>(
      SuffixKeys(d_text), Reach{depth, most}, tied.slots(), tied.size(), probes, keys.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  Mail mail(stream);
  mail.copy_async(keys.data(), keys.bytes(), 0);
  mail.wait();
  return static_cast<double>(mail.letter(0)) / static_cast<double>(probes);
}

using Narrow = std::uint32_t;
using Wide = std::uint64_t;
template double mean_agreement(TiedRows<Narrow>&, const TextView&, std::uint64_t, std::uint64_t,
                               unsigned);
template double mean_agreement(TiedRows<Wide>&, const TextView&, std::uint64_t, std::uint64_t,
                               unsigned);
template void compare_by_warps(TiedRows<Narrow>&, const TextView&, std::uint64_t, unsigned, bool,
                               DeviceBuffer<Narrow>&);
template void compare_by_warps(TiedRows<Wide>&, const TextView&, std::uint64_t, unsigned, bool,
                               DeviceBuffer<Wide>&);
template void compare_by_grid(TiedRows<Narrow>&, const TextView&, std::uint64_t, std::uint64_t,
                              bool, DeviceBuffer<Narrow>&);
template void compare_by_grid(TiedRows<Wide>&, const TextView&, std::uint64_t, std::uint64_t, bool,
                              DeviceBuffer<Wide>&);

}  // namespace gsx::cuda
