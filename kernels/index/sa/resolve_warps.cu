#include "base/bits.hpp"
#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/tuning.hpp"
#include "kernels/index/sa/refine_keys.hpp"
#include "kernels/index/sa/resolve.hpp"
#include "kernels/index/sa/resolve_slots.hpp"
#include "kernels/text/code_before.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

/// Slots of a warp in words of 32, a slot of each for a lane: those of its stretch, and one word
/// behind, as far as a group that begins in the stretch may reach. One more word before tells where
/// groups begin.
constexpr unsigned stretch_words = 4;
constexpr unsigned held_words = stretch_words + 1;
constexpr unsigned held_rows = 32 * held_words;
constexpr unsigned stretch = 32 * stretch_words;
constexpr unsigned warps = block_threads / 32;
static_assert(tuning::warp_group_limit == 32);

/// What a warp holds of its slots.
template <class Pos>
struct Held {
  std::uint64_t keys[held_rows];
  Pos positions[held_rows];
  std::uint16_t notes[held_rows];  ///< code, head_note, and symbols known above the depth
};
constexpr std::uint16_t head_note = 0x100;
constexpr unsigned symbols_note = 9;  ///< lowest bit; 5 bits

/// A group as slots held, [begin, end); empty where it has more than 32, or begins before them.
struct WarpGroup {
  int begin;
  int end;
};

/// The group of the slot that `lane` has in word k, from the words of heads around it.
__device__ WarpGroup group_of(std::uint32_t before, std::uint32_t here, std::uint32_t behind, int k,
                              unsigned lane) {
  const std::uint32_t lower = here & (~0u >> (31 - lane));
  const std::uint32_t upper = here & (~1u << lane);
  if ((lower == 0 && before == 0) || (upper == 0 && behind == 0)) return {0, 0};
  const int begin = lower != 0 ? 32 * k + 31 - __clz(static_cast<int>(lower))
                               : 32 * (k - 1) + 31 - __clz(static_cast<int>(before));
  const int end = upper != 0 ? 32 * k + static_cast<int>(lowest_bit32(upper))
                             : 32 * (k + 1) + static_cast<int>(lowest_bit32(behind));
  if (end - begin > 32) return {0, 0};
  return {begin, end};
}

/// Rows of a sorted batch as slots: those with equal keys are tied.
template <class Key, class Pos>
struct BatchSlots {
  using Position = Pos;

  const Key* d_keys;
  const Pos* d_rows;
  Pos* d_new_rows;
  std::uint8_t* d_codes;  ///< may be null
  std::uint32_t* d_small;
  std::uint32_t* d_large;
  std::uint32_t* d_least_symbols;

  __device__ bool is_head(std::uint64_t i) const {
    return i == 0 || !same_key(d_keys[i], d_keys[i - 1]);
  }
  __device__ Pos position(std::uint64_t i) const { return d_rows[i]; }
  __device__ std::uint32_t note(std::uint64_t i) const {
    return carried_code(d_keys[i]) | carried_symbols(d_keys[i]) << symbols_note;
  }
  __device__ void put(std::uint64_t i, Pos position, std::uint8_t code, bool,
                      bool knows_code) const {
    d_new_rows[i] = position;
    if (d_codes != nullptr) d_codes[i] = knows_code ? code : unknown_code;
  }
  /// Two warps may share a word: a group belongs to the stretch in which it begins.
  __device__ void put_ties(std::uint64_t word, std::uint32_t small, std::uint32_t large) const {
    if (small != 0) atomicOr(d_small + word, small);
    if (large != 0) atomicOr(d_large + word, large);
  }
  /// The fewest that the thread's ties carried, of small and of large groups. Few threads find less
  /// than is there.
  __device__ void put_tied_symbols(const std::uint32_t (&symbols)[2]) const {
    if constexpr (sizeof(Key) == 8) {
      for (int k = 0; k < 2; ++k) {
        if (symbols[k] < *static_cast<volatile std::uint32_t*>(d_least_symbols + k))
          atomicMin(d_least_symbols + k, symbols[k]);
      }
    }
  }
};

template <class Pos, bool with_codes>
struct TiedSlots {
  using Position = Pos;

  TextView text;
  Slots<Pos> from;
  Slots<Pos> to;
  unsigned long long* d_large;  ///< counts slots of large groups, but for their heads

  __device__ bool is_head(std::uint64_t i) const { return from.heads[i] != 0; }
  __device__ Pos position(std::uint64_t i) const { return from.positions[i]; }
  __device__ std::uint32_t note(std::uint64_t i) const {
    return with_codes ? code_before(text, from.positions[i]) & 0xFF : 0;
  }
  __device__ void put(std::uint64_t i, Pos position, std::uint8_t, bool head, bool) const {
    to.positions[i] = position;
    to.heads[i] = head ? 1 : 0;
  }
  __device__ void put_ties(std::uint64_t, std::uint32_t, std::uint32_t large) const {
    if (large != 0) atomicAdd(d_large, static_cast<unsigned long long>(__popc(large)));
  }
  __device__ void put_tied_symbols(const std::uint32_t (&)[2]) const {}
};

/// Words of heads: of the word before a warp's, of those that it holds, and none behind.
using HeadWords = std::uint32_t[held_words + 2];

/// Whether the slot that `lane` has in word k is a group of its own.
__device__ bool is_alone(const HeadWords& heads, unsigned k, unsigned lane) {
  const std::uint32_t next = lane == 31 ? heads[k + 2] & 1 : heads[k + 1] >> (lane + 1) & 1;
  return (heads[k + 1] >> lane & 1) != 0 && next != 0;
}

/// Whether any bit of a group is set, from the words of bits around that of a slot, k.
__device__ bool any_of_group(const WarpGroup& group, int k, std::uint32_t before,
                             std::uint32_t here, std::uint32_t behind) {
  const int begin = group.begin - 32 * k, end = group.end - 32 * k;  // in [-31, 31], [1, 63]
  const std::uint32_t from = begin < 0 ? ~0u : ~0u << begin;
  const std::uint32_t until = end >= 32 ? ~0u : (1u << end) - 1;
  return (here & from & until) != 0 || (begin < 0 && before >> (32 + begin) != 0) ||
         (end > 32 && (behind & ((1u << (end - 32)) - 1)) != 0);
}

/// Which of the lane's own slots are tied to the slot before, a bit per word.
__device__ std::uint32_t own_ties(const HeadWords& heads, std::uint32_t own, unsigned lane) {
  std::uint32_t ties = 0;
#pragma unroll
  for (unsigned k = 0; k < held_words; ++k)
    ties |= (~heads[k + 1] >> lane & 1) << k;
  return ties & own;
}

/// Ends the warp's own groups in which all suffixes have the same code before them. Separators have
/// the code 0, too: where there is one, groups of that code go on.
template <class Pos>
__device__ void end_alike(const TextView& text, const Held<Pos>& w, std::uint32_t own,
                          HeadWords& heads, unsigned lane) {
  std::uint32_t unlike[held_words + 2];  // the code before, words as those of heads
  unlike[0] = unlike[held_words + 1] = 0;
  const std::uint32_t ties = own_ties(heads, own, lane);
#pragma unroll
  for (unsigned k = 0; k < held_words; ++k) {
    const unsigned at = 32 * k + lane;
    const bool tied = (ties >> k & 1) != 0;
    unlike[k + 1] = __ballot_sync(~0u, tied && ((w.notes[at] ^ w.notes[at - 1]) & 0xFF) != 0);
  }
  std::uint32_t alike = 0, of_zeros = 0;
  bool after_separator = false;
#pragma unroll
  for (unsigned k = 0; k < held_words; ++k) {
    if ((own >> k & 1) == 0 || is_alone(heads, k, lane)) continue;
    const WarpGroup group =
        group_of(heads[k], heads[k + 1], heads[k + 2], static_cast<int>(k), lane);
    if (any_of_group(group, static_cast<int>(k), unlike[k], unlike[k + 1], unlike[k + 2])) continue;
    alike |= 1u << k;
    const unsigned at = 32 * k + lane;
    if ((w.notes[at] & 0xFF) != 0) continue;
    of_zeros |= 1u << k;
    after_separator |= starts_segment(text, w.positions[at]);
  }
  if (__any_sync(~0u, after_separator)) alike &= ~of_zeros;
#pragma unroll
  for (unsigned k = 0; k < held_words; ++k)
    heads[k + 1] |= __ballot_sync(~0u, (alike >> k & 1) != 0);
}

/// A warp sorts the groups that begin in its stretch, stably. Without `with_order`, those end whose
/// suffixes have the same code before them; the source must know these codes.
template <bool with_order, class Source>
__global__ void __launch_bounds__(block_threads, 5)
    resolve_warps_kernel(RefineKeys keys, std::uint64_t depth, unsigned rounds, Source slots,
                         std::uint64_t size) {
  using Pos = typename Source::Position;
  __shared__ Held<Pos> of_warps[warps];
  Held<Pos>& w = of_warps[threadIdx.x / 32];
  const unsigned lane = threadIdx.x % 32;
  const std::uint64_t begin = (std::uint64_t{blockIdx.x} * warps + threadIdx.x / 32) * stretch;
  if (begin >= size) return;

  HeadWords heads;
  {
    const std::uint64_t i = begin + lane - 32;
    heads[0] = __ballot_sync(~0u, begin != 0 && slots.is_head(i));
  }
#pragma unroll
  for (unsigned k = 0; k < held_words; ++k) {
    const unsigned at = 32 * k + lane;
    const std::uint64_t i = begin + at;
    bool head = i == size;  // behind the last slot a new group would begin
    if (i < size) {
      head = slots.is_head(i);
      w.positions[at] = slots.position(i);
      w.notes[at] = static_cast<std::uint16_t>(slots.note(i));
    }
    heads[k + 1] = __ballot_sync(~0u, head);
  }
  heads[held_words + 1] = 0;

  // Groups are this warp's if they begin in its stretch; they only get smaller, within their slots.
  std::uint32_t own = 0, large = 0;
#pragma unroll
  for (unsigned k = 0; k < held_words; ++k) {
    const std::uint64_t i = begin + 32 * k + lane;
    if (i >= size) continue;
    const WarpGroup group =
        group_of(heads[k], heads[k + 1], heads[k + 2], static_cast<int>(k), lane);
    if (group.end > group.begin) {
      if (group.begin >= 0 && group.begin < static_cast<int>(stretch)) own |= 1u << k;
    } else if (k < stretch_words) {
      large |= 1u << k;
    }
  }
  __syncwarp();
  for (unsigned round = 0;; ++round, depth += keys.keys.symbols) {
    if (!__any_sync(~0u, own_ties(heads, own, lane) != 0)) break;
    // One key tells most suffixes apart that agree by chance, for less than a look at their codes.
    if constexpr (!with_order) {
      if (round != 0) end_alike(keys.keys.text, w, own, heads, lane);
    }
    if (round == rounds) break;
    std::uint32_t tied = 0;
#pragma unroll
    for (unsigned k = 0; k < held_words; ++k) {
      if ((own >> k & 1) == 0 || is_alone(heads, k, lane)) continue;
      tied |= 1u << k;
      const unsigned at = 32 * k + lane;
      w.keys[at] = keys.at(w.positions[at], depth + (w.notes[at] >> symbols_note));
    }
    if (!__any_sync(~0u, tied != 0)) break;
    __syncwarp();
    Pos positions[held_words];
    std::uint32_t targets[held_words];  // slot held, and its notes
#pragma unroll
    for (unsigned k = 0; k < held_words; ++k) {
      if ((tied >> k & 1) == 0) continue;
      const int at = static_cast<int>(32 * k + lane);
      const WarpGroup group =
          group_of(heads[k], heads[k + 1], heads[k + 2], static_cast<int>(k), lane);
      const std::uint64_t key = w.keys[at];
      unsigned smaller = 0, equal_before = 0;
      for (int j = group.begin; j < group.end; ++j) {
        smaller += w.keys[j] < key;
        equal_before += w.keys[j] == key && j < at;
      }
      const bool head = equal_before == 0 || keys.ended()(key);
      positions[k] = w.positions[at];
      targets[k] = (static_cast<unsigned>(group.begin) + smaller + equal_before) << 16 |
                   (w.notes[at] & ~std::uint32_t{head_note}) | (head ? head_note : 0u);
    }
    __syncwarp();
#pragma unroll
    for (unsigned k = 0; k < held_words; ++k) {
      if ((tied >> k & 1) == 0) continue;
      w.positions[targets[k] >> 16] = positions[k];
      w.notes[targets[k] >> 16] = static_cast<std::uint16_t>(targets[k]);
    }
    __syncwarp();
#pragma unroll
    for (unsigned k = 0; k < held_words; ++k) {
      const bool head = (tied >> k & 1) != 0 && (w.notes[32 * k + lane] & head_note) != 0;
      heads[k + 1] |= __ballot_sync(~0u, head);
    }
  }

  std::uint32_t least[2] = {~0u, ~0u};  // of small and of large groups
#pragma unroll
  for (unsigned k = 0; k < held_words; ++k) {
    const unsigned at = 32 * k + lane;
    const std::uint64_t i = begin + at;
    const bool sorted = (own >> k & 1) != 0, left = (large >> k & 1) != 0;
    const bool head = (heads[k + 1] >> lane & 1) != 0;
    if (sorted || left) {
      slots.put(i, w.positions[at], static_cast<std::uint8_t>(w.notes[at]), head,
                is_alone(heads, k, lane));
    }
    const std::uint32_t symbols = w.notes[at] >> symbols_note;
    if (sorted && !head && symbols < least[0]) least[0] = symbols;
    if (left && !head && symbols < least[1]) least[1] = symbols;
    const std::uint32_t small_ties = __ballot_sync(~0u, sorted && !head);
    const std::uint32_t large_ties = __ballot_sync(~0u, left && !head);
    if (lane == 0) slots.put_ties(i / 32, small_ties, large_ties);
  }
  slots.put_tied_symbols(least);
}

unsigned blocks_of(std::uint64_t size) {
  return blocks_for(size, warps * stretch);
}

}  // namespace

std::uint64_t resolved_depth(const TextView& text, unsigned rounds) {
  return std::uint64_t{rounds} * RefineKeys(text, 64).keys.symbols;
}

template <class Key, class Pos>
BatchTies resolve_batch_async(SortedBatch<Key, Pos>& batch, const TextView& d_text,
                              std::uint64_t depth, unsigned rounds, bool with_codes,
                              bool with_order, DeviceStream stream) {
  const std::uint64_t size = batch.rows.size();
  const std::uint64_t words = divide_up(size, 32);
  BatchTies ties{{words, stream}, {words, stream}, {2, stream}};
  GSX_CUDA_CHECK(cudaMemsetAsync(ties.small.data(), 0, ties.small.bytes(), stream));
  GSX_CUDA_CHECK(cudaMemsetAsync(ties.large.data(), 0, ties.large.bytes(), stream));
  GSX_CUDA_CHECK(
      cudaMemsetAsync(ties.least_symbols.data(), 0xFF, ties.least_symbols.bytes(), stream));
  DeviceBuffer<Pos> rows(size, stream);
  if (with_codes) batch.codes = DeviceBuffer<std::uint8_t>(size, stream);
  const BatchSlots<Key, Pos> slots{batch.keys.data(),        batch.rows.data(), rows.data(),
                                   batch.codes.data(),       ties.small.data(), ties.large.data(),
                                   ties.least_symbols.data()};
  const auto resolve = with_order ? resolve_warps_kernel<true, BatchSlots<Key, Pos>>
                                  : resolve_warps_kernel<false, BatchSlots<Key, Pos>>;
  resolve<<<blocks_of(size), block_threads, 0, stream>>>(RefineKeys(d_text, 64), depth, rounds,
                                                         slots, size);
  GSX_CUDA_CHECK(cudaGetLastError());
  batch.rows = std::move(rows);
  return ties;
}

namespace {

template <bool with_order, class Pos>
std::uint64_t resolve_tied(TiedRows<Pos>& tied, const TextView& d_text, std::uint64_t depth,
                           unsigned rounds, DeviceBuffer<Pos>& rows) {
  return resolve_slots(tied, rows, [&](unsigned long long* d_large) {
    const TiedSlots<Pos, !with_order> slots{d_text, tied.slots(), tied.other_slots(), d_large};
    resolve_warps_kernel<with_order><<<blocks_of(tied.size()), block_threads, 0, tied.stream()>>>(
        RefineKeys(d_text, 64), depth, rounds, slots, tied.size());
  });
}

}  // namespace

template <class Pos>
std::uint64_t resolve_in_warps(TiedRows<Pos>& tied, const TextView& d_text, std::uint64_t depth,
                               unsigned rounds, bool with_order, DeviceBuffer<Pos>& rows) {
  return with_order ? resolve_tied<true>(tied, d_text, depth, rounds, rows)
                    : resolve_tied<false>(tied, d_text, depth, rounds, rows);
}

using Narrow = std::uint32_t;
using Wide = std::uint64_t;
template BatchTies resolve_batch_async(SortedBatch<Narrow, Narrow>&, const TextView&, std::uint64_t,
                                       unsigned, bool, bool, DeviceStream);
template BatchTies resolve_batch_async(SortedBatch<Narrow, Wide>&, const TextView&, std::uint64_t,
                                       unsigned, bool, bool, DeviceStream);
template BatchTies resolve_batch_async(SortedBatch<Wide, Narrow>&, const TextView&, std::uint64_t,
                                       unsigned, bool, bool, DeviceStream);
template BatchTies resolve_batch_async(SortedBatch<Wide, Wide>&, const TextView&, std::uint64_t,
                                       unsigned, bool, bool, DeviceStream);
template std::uint64_t resolve_in_warps(TiedRows<Narrow>&, const TextView&, std::uint64_t, unsigned,
                                        bool, DeviceBuffer<Narrow>&);
template std::uint64_t resolve_in_warps(TiedRows<Wide>&, const TextView&, std::uint64_t, unsigned,
                                        bool, DeviceBuffer<Wide>&);

}  // namespace gsx::cuda
