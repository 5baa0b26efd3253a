#include "base/bits.hpp"
#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/tuning.hpp"
#include "kernels/index/sa/refine_keys.hpp"
#include "kernels/index/sa/resolve.hpp"
#include "kernels/index/sa/resolve_slots.hpp"
#include "kernels/text/code_before.hpp"

namespace gsx::cuda {
namespace {

using tuning::group_limit;
using tuning::resolve_threads;

/// Slots whose groups a block may have to sort: those of its tile, and as many behind it as a group
/// that begins in the tile may reach. As many before it are looked at for where groups begin.
constexpr unsigned halo = group_limit;
constexpr unsigned slots_per_thread = 4;
constexpr unsigned held = slots_per_thread * resolve_threads;
constexpr unsigned tile = held - halo;
constexpr unsigned window = halo + held;
static_assert(tile % 32 == 0 && halo % 32 == 0);
constexpr unsigned code_shift = 16;
static_assert(2 * held <= 1u << code_shift);

/// What a block holds. Slots are numbered from `halo` before its tile; keys and positions are
/// there for the last `held` of them.
template <class Pos, bool with_order>
struct Window {
  std::uint64_t keys[held];
  Pos positions[held];
  std::uint32_t heads[window / 32];
  std::uint16_t codes[with_order ? 1 : held];         ///< before the suffixes
  std::uint32_t mixed[with_order ? 1 : window / 32];  ///< heads of groups with several codes
};

/// A group as slots of the window, [begin, end); empty where it has more than group_limit slots.
struct Group {
  unsigned begin;
  unsigned end;
};

__device__ bool is_head(const std::uint32_t* heads, unsigned i) {
  return (heads[i / 32] >> (i % 32) & 1) != 0;
}

__device__ Group group_of(const std::uint32_t* heads, unsigned i) {
  constexpr unsigned words = halo / 32;
  unsigned word = i / 32;
  std::uint32_t bits = heads[word] & (~0u >> (31 - i % 32));
  for (unsigned k = 0; bits == 0 && k < words && word > 0; ++k)
    bits = heads[--word];
  if (bits == 0) return {0, 0};
  const unsigned begin = word * 32 + 31 - static_cast<unsigned>(__clz(static_cast<int>(bits)));
  word = i / 32;
  bits = heads[word] & (~1u << (i % 32));
  for (unsigned k = 0; bits == 0 && k < words && word + 1 < window / 32; ++k)
    bits = heads[++word];
  if (bits == 0) return {0, 0};
  const unsigned end = word * 32 + lowest_bit32(bits);
  if (end - begin > group_limit) return {0, 0};
  return {begin, end};
}

/// Notes which groups have suffixes with different codes before them; `spans` are those of tied
/// slots. Returns the thread's slots whose groups have not: these are told apart enough.
template <class Pos>
__device__ std::uint32_t alike_slots(Window<Pos, false>& w,
                                     const std::uint32_t (&spans)[slots_per_thread]) {
  for (unsigned i = threadIdx.x; i < window / 32; i += resolve_threads)
    w.mixed[i] = 0;
  __syncthreads();
#pragma unroll
  for (unsigned k = 0; k < slots_per_thread; ++k) {
    const unsigned at = threadIdx.x + k * resolve_threads, head = spans[k] >> 16;
    if (spans[k] != 0 && halo + at != head && w.codes[at] != w.codes[at - 1])
      atomicOr(&w.mixed[head / 32], 1u << (head % 32));
  }
  __syncthreads();
  std::uint32_t alike = 0;
#pragma unroll
  for (unsigned k = 0; k < slots_per_thread; ++k) {
    if (spans[k] != 0 && !is_head(w.mixed, spans[k] >> 16)) alike |= 1u << k;
  }
  return alike;
}

/// A block sorts the groups that begin in its tile, stably. Without `with_order`, those end whose
/// suffixes have the same code before them. Slots of groups that are too large are counted, or,
/// where d_large is null, marked.
template <bool with_order, class Pos>
__global__ void __launch_bounds__(resolve_threads, 3)
    resolve_kernel(RefineKeys keys, KnownDepth known, unsigned rounds, Slots<Pos> from,
                   Slots<Pos> to, std::uint64_t size, unsigned long long* d_large) {
  __shared__ Window<Pos, with_order> w;
  const std::uint64_t begin = std::uint64_t{blockIdx.x} * tile;
  for (unsigned i = threadIdx.x; i < window; i += resolve_threads) {
    const std::uint64_t shifted = begin + i;  // by halo, so as not to be negative
    // Behind the last slot a new group would begin.
    const bool head = shifted >= halo && shifted - halo <= size &&
                      (shifted - halo == size || from.heads[shifted - halo] != 0);
    const std::uint32_t word = __ballot_sync(~0u, head);
    if (threadIdx.x % 32 == 0) w.heads[i / 32] = word;
  }
#pragma unroll
  for (unsigned k = 0; k < slots_per_thread; ++k) {
    const unsigned at = threadIdx.x + k * resolve_threads;
    if (begin + at >= size) continue;
    w.positions[at] = from.positions[begin + at];
    if constexpr (!with_order) w.codes[at] = code_before(keys.keys.text, w.positions[at]);
  }
  __syncthreads();

  // Groups are this block's if they begin in its tile; they only get smaller, within their slots.
  std::uint32_t own = 0, large = 0;
#pragma unroll
  for (unsigned k = 0; k < slots_per_thread; ++k) {
    const unsigned at = threadIdx.x + k * resolve_threads;
    if (begin + at >= size) continue;
    const Group group = group_of(w.heads, halo + at);
    if (group.end != 0) {
      if (group.begin >= halo && group.begin < halo + tile) own |= 1u << k;
    } else if (at < tile) {
      large |= 1u << k;
    }
  }
  for (unsigned round = 0;; ++round, known.depth += keys.keys.symbols) {
    if (with_order && round == rounds) break;
    std::uint32_t spans[slots_per_thread];  // of tied slots' groups; 0 for the others
#pragma unroll
    for (unsigned k = 0; k < slots_per_thread; ++k) {
      const unsigned at = threadIdx.x + k * resolve_threads;
      spans[k] = 0;
      if ((own >> k & 1) == 0) continue;
      if (is_head(w.heads, halo + at) && is_head(w.heads, halo + at + 1)) continue;
      const Group group = group_of(w.heads, halo + at);
      spans[k] = group.begin << 16 | group.end;
    }
    if constexpr (!with_order) {
      const std::uint32_t alike = alike_slots(w, spans);
#pragma unroll
      for (unsigned k = 0; k < slots_per_thread; ++k) {
        if ((alike >> k & 1) == 0) continue;
        const unsigned slot = halo + threadIdx.x + k * resolve_threads;
        atomicOr(&w.heads[slot / 32], 1u << (slot % 32));
        spans[k] = 0;
      }
    }
    if (!with_order && round == rounds) break;
    bool tied = false;
#pragma unroll
    for (unsigned k = 0; k < slots_per_thread; ++k) {
      if (spans[k] == 0) continue;
      const unsigned at = threadIdx.x + k * resolve_threads;
      w.keys[at] = keys.at(w.positions[at], known.at(begin + at));
      tied = true;
    }
    if (__syncthreads_or(tied) == 0) break;
    Pos positions[slots_per_thread];
    std::uint32_t targets[slots_per_thread];  // slot held, whether it is a head, and the code
#pragma unroll
    for (unsigned k = 0; k < slots_per_thread; ++k) {
      if (spans[k] == 0) continue;
      const unsigned at = threadIdx.x + k * resolve_threads;
      const unsigned first = (spans[k] >> 16) - halo, last = (spans[k] & 0xFFFF) - halo;
      const std::uint64_t key = w.keys[at];
      unsigned smaller = 0, equal_before = 0;
      for (unsigned j = first; j < last; ++j) {
        smaller += w.keys[j] < key;
        equal_before += w.keys[j] == key && j < at;
      }
      positions[k] = w.positions[at];
      const bool head = equal_before == 0 || keys.ended()(key);
      targets[k] = (first + smaller + equal_before) << 1 | (head ? 1u : 0u);
      if constexpr (!with_order) targets[k] |= std::uint32_t{w.codes[at]} << code_shift;
    }
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < slots_per_thread; ++k) {
      if (spans[k] == 0) continue;
      const unsigned target = targets[k] % (1u << code_shift) >> 1;
      w.positions[target] = positions[k];
      if constexpr (!with_order)
        w.codes[target] = static_cast<std::uint16_t>(targets[k] >> code_shift);
      if ((targets[k] & 1) != 0) {
        atomicOr(&w.heads[(halo + target) / 32], 1u << ((halo + target) % 32));
      }
    }
    __syncthreads();
  }
  __syncthreads();

#pragma unroll
  for (unsigned k = 0; k < slots_per_thread; ++k) {
    const unsigned at = threadIdx.x + k * resolve_threads;
    const bool left = (large >> k & 1) != 0;
    const bool head = is_head(w.heads, halo + at);
    if (left || (own >> k & 1) != 0) {
      to.positions[begin + at] = w.positions[at];
      const bool marked = left && d_large == nullptr;
      to.heads[begin + at] =
          static_cast<std::uint8_t>((head ? 1 : 0) | (marked ? TiedRows<Pos>::group_mark : 0));
    }
    const std::uint32_t ties = __ballot_sync(~0u, left && !head);
    if (ties != 0 && d_large != nullptr && threadIdx.x % 32 == 0)
      atomicAdd(d_large, static_cast<unsigned long long>(__popc(ties)));
  }
}

template <class Pos>
void resolve_async(TiedRows<Pos>& tied, const TextView& d_text, const KnownDepth& known,
                   unsigned rounds, bool with_order, unsigned long long* d_large) {
  const auto kernel = with_order ? resolve_kernel<true, Pos> : resolve_kernel<false, Pos>;
  kernel<<<blocks_for(tied.size(), tile), resolve_threads, 0, tied.stream()>>>(
      RefineKeys(d_text, 64), known, rounds, tied.slots(), tied.other_slots(), tied.size(),
      d_large);
}

}  // namespace

template <class Pos>
std::uint64_t resolve_in_blocks(TiedRows<Pos>& tied, const TextView& d_text,
                                const KnownDepth& known, unsigned rounds, bool with_order,
                                DeviceBuffer<Pos>& rows) {
  return resolve_slots(tied, rows, [&](unsigned long long* d_large) {
    resolve_async(tied, d_text, known, rounds, with_order, d_large);
  });
}

template <class Pos>
void split_in_blocks(TiedRows<Pos>& tied, const TextView& d_text, const KnownDepth& known,
                     unsigned rounds, bool with_order, DeviceBuffer<Pos>& rows,
                     DeviceBuffer<std::uint32_t>& ties) {
  resolve_async(tied, d_text, known, rounds, with_order, nullptr);
  GSX_CUDA_CHECK(cudaGetLastError());
  tied.swap_slots();
  tied.keep_marked(rows, ties);
}

using Narrow = std::uint32_t;
using Wide = std::uint64_t;
template std::uint64_t resolve_in_blocks(TiedRows<Narrow>&, const TextView&, const KnownDepth&,
                                         unsigned, bool, DeviceBuffer<Narrow>&);
template std::uint64_t resolve_in_blocks(TiedRows<Wide>&, const TextView&, const KnownDepth&,
                                         unsigned, bool, DeviceBuffer<Wide>&);
template void split_in_blocks(TiedRows<Narrow>&, const TextView&, const KnownDepth&, unsigned, bool,
                              DeviceBuffer<Narrow>&, DeviceBuffer<std::uint32_t>&);
template void split_in_blocks(TiedRows<Wide>&, const TextView&, const KnownDepth&, unsigned, bool,
                              DeviceBuffer<Wide>&, DeviceBuffer<std::uint32_t>&);

}  // namespace gsx::cuda
