#include "arrays/minima/nearest_smaller.hpp"
#include "base/bits.hpp"
#include "kernels/arrays/minima/device_range_minima.hpp"
#include "kernels/arrays/minima/nearest_smaller.hpp"
#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/tuning.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

constexpr unsigned warp_lanes = 32;
constexpr unsigned block_values = tuning::smaller_tile;
constexpr unsigned chunks = block_values / warp_lanes;  // a warp's share at a time
constexpr unsigned spans = bits_for(chunks) - 1;
static_assert(chunks == 1u << spans && block_values <= 1u << 16);

enum class Side { left, right };

/// Of hits among nodes, the one that a side wants. Pre: there is one.
template <Side side>
__device__ unsigned nearest_hit(std::uint32_t hits) {
  if (side == Side::left) return 31 - static_cast<unsigned>(__clz(static_cast<int>(hits)));
  return lowest_bit32(hits);
}

/// Whether `other` is what the rule calls smaller than `value`.
template <Smaller rule, class Value>
__device__ bool is_below(Value other, Value value) {
  return rule == Smaller::or_equal ? other <= value : other < value;
}

template <class Value>
__device__ Value lesser(Value a, Value b) {
  return b < a ? b : a;
}

/// Values of other lanes, modulo 32; CUDA's functions widen short ones.
template <class Value>
__device__ Value of_lane(Value value, unsigned lane) {
  return static_cast<Value>(__shfl_sync(~0u, value, static_cast<int>(lane)));
}
template <class Value>
__device__ Value of_lane_before(Value value, unsigned distance) {
  return static_cast<Value>(__shfl_up_sync(~0u, value, distance));
}
template <class Value>
__device__ Value of_lane_behind(Value value, unsigned distance) {
  return static_cast<Value>(__shfl_down_sync(~0u, value, distance));
}

/// The node of the array itself below a node of `level` that a side wants: the last one on the
/// left, the first one on the right. For the whole warp.
template <Side side, Smaller rule, class Value>
__device__ std::uint64_t warp_descend(const RangeMinimaView<Value>& all, unsigned level,
                                      std::uint64_t start, std::uint64_t node, Value value) {
  const unsigned lane = threadIdx.x % warp_lanes;
  while (level > 0) {
    --level;
    start -= level == 0 ? 0 : all.padded(level);
    const Value* const nodes = level == 0 ? all.values : all.minima + start;
    const std::uint64_t first = node << all.shift;
    const bool hit = lane < all.fanout && first + lane < all.nodes(level) &&
                     is_below<rule>(nodes[first + lane], value);
    const std::uint32_t hits = __ballot_sync(~0u, hit);
    node = first + nearest_hit<side>(hits);
  }
  return node;
}

/// The nearest position before i, or from i on, whose value is smaller, or none. A group of nodes
/// is one load of the warp.
template <Side side, Smaller rule, class Value>
__device__ std::uint64_t warp_nearest(const RangeMinimaView<Value>& all, std::uint64_t i,
                                      Value value) {
  const unsigned lane = threadIdx.x % warp_lanes;
  std::uint64_t start = 0;
  for (unsigned level = 0;; ++level) {
    if (side == Side::left ? i == 0 : i >= all.nodes(level)) return all.none;
    const Value* const nodes = level == 0 ? all.values : all.minima + start;
    const std::uint64_t first = (side == Side::left ? i - 1 : i) & ~(all.fanout - 1);
    const std::uint64_t node = first + lane;
    const bool inside = side == Side::left ? node < i : node >= i && node < all.nodes(level);
    const bool hit = lane < all.fanout && inside && is_below<rule>(nodes[node], value);
    const std::uint32_t hits = __ballot_sync(~0u, hit);
    if (hits != 0)
      return warp_descend<side, rule>(all, level, start, first + nearest_hit<side>(hits), value);
    i = (first >> all.shift) + (side == Side::left ? 0 : 1);
    start += level == 0 ? 0 : all.padded(level);
  }
}

/// The same by one thread.
template <Side side, Smaller rule, class Value>
__device__ std::uint64_t nearest(const RangeMinimaView<Value>& all, std::uint64_t i, Value value) {
  constexpr bool left = side == Side::left;
  if (rule == Smaller::strictly)
    return left ? all.previous_below(i, value) : all.next_below(i, value);
  if (value == largest_value<Value>) {
    if (left) return i == 0 ? all.none : i - 1;
    return i < all.size ? i : all.none;
  }
  const auto above = static_cast<Value>(value + 1);
  return left ? all.previous_below(i, above) : all.next_below(i, above);
}

/// Where a chunk's elements stand in shared memory: a word further in each chunk, so that threads
/// that look at the same place of several chunks use several banks.
constexpr unsigned padded_tile = block_values + chunks;
__device__ unsigned padded(unsigned i) {
  return i + i / warp_lanes;
}

/// What a block knows of its tile. Elements behind the end of the array have the largest value.
template <class Value>
struct Tile {
  Value from_begin[padded_tile];        ///< least value of the chunk up to each element
  Value to_end[padded_tile];            ///< least value of the chunk from each element on
  Value least[spans][chunks];           ///< of 2^k chunks from each chunk on
  std::uint16_t open[2][block_values];  ///< of each side: elements not resolved yet, in any order
  std::uint32_t opened[2], left[2];     ///< how many; how many the whole tile does not resolve
};

/// Least values of 2^k elements of a chunk: the last ones up to each lane, or the next ones from it
/// on; where the chunk has fewer, of those.
template <class Value>
struct ChunkMinima {
  Value of[5];
  Value of_all;  ///< of the chunk up to the lane, or from it on
};

/// For a whole warp.
template <Side side, class Value>
__device__ ChunkMinima<Value> chunk_minima(Value value) {
  ChunkMinima<Value> least;
#pragma unroll
  for (unsigned k = 0; k < 5; ++k) {
    least.of[k] = value;
    value = lesser(value, side == Side::left ? of_lane_before(value, 1u << k)
                                             : of_lane_behind(value, 1u << k));
  }
  least.of_all = value;
  return least;
}

/// The lane of the nearest element of a chunk that is smaller; negative, or 32 and more: none. For
/// a whole warp. Skips elements that are not smaller, in spans of descending powers of two. A span
/// that sticks out of the chunk may be skipped: nothing brings a lane back that has left it.
template <Side side, Smaller rule, class Value>
__device__ int resolve_in_chunk(const ChunkMinima<Value>& least, Value value) {
  int at = static_cast<int>(threadIdx.x % warp_lanes) + (side == Side::left ? -1 : 1);
#pragma unroll
  for (int k = 4; k >= 0; --k) {
    const Value here = of_lane(least.of[k], static_cast<unsigned>(at));
    if (!is_below<rule>(here, value)) at += side == Side::left ? -(1 << k) : 1 << k;
  }
  return at;
}

/// Appends the elements of a warp's lanes that are open.
template <class Value>
__device__ void open_elements(Tile<Value>& here, Side side, bool is_open, unsigned i) {
  const std::uint32_t all = __ballot_sync(~0u, is_open);
  if (all == 0) return;
  const unsigned lane = threadIdx.x % warp_lanes;
  std::uint32_t first = 0;
  if (lane == 0) first = atomicAdd(&here.opened[static_cast<int>(side)], popcount32(all));
  first = __shfl_sync(~0u, first, 0);
  if (is_open) {
    const std::uint32_t before = popcount32(all & ((1u << lane) - 1));
    here.open[static_cast<int>(side)][first + before] = static_cast<std::uint16_t>(i);
  }
}

/// Of the chunks before or behind that of an element, the nearest one with a smaller value;
/// `chunks` or more: none.
template <Side side, Smaller rule, class Value>
__device__ unsigned nearest_chunk(const Tile<Value>& here, unsigned chunk, Value value) {
  unsigned at = side == Side::left ? chunk : chunk + 1;
  for (unsigned k = spans; k-- > 0;) {
    const unsigned span = 1u << k;
    const bool fits = side == Side::left ? at >= span : at + span <= chunks;
    if (!fits) continue;
    if (is_below<rule>(here.least[k][side == Side::left ? at - span : at], value)) continue;
    at = side == Side::left ? at - span : at + span;
  }
  return side == Side::left ? at - 1 : at;
}

/// The element of a chunk that is nearest to that side's end. Pre: the chunk has a smaller one.
template <Side side, Smaller rule, class Value>
__device__ unsigned nearest_in_chunk(const Tile<Value>& here, unsigned chunk, Value value) {
  const unsigned first = padded(chunk * warp_lanes);
  unsigned at = 0;
  for (unsigned step = warp_lanes / 2; step != 0; step /= 2) {
    if (side == Side::left) {
      if (is_below<rule>(here.to_end[first + at + step], value)) at += step;
    } else {
      if (!is_below<rule>(here.from_begin[first + at + step - 1], value)) at += step;
    }
  }
  return chunk * warp_lanes + at;
}

/// Resolves open elements of a side, those that the tile cannot resolve by the whole array. For the
/// whole block.
template <Side side, Smaller rule, class Value, class Position>
__device__ void resolve_open(Tile<Value>& here, const RangeMinimaView<Value>& all,
                             std::uint64_t begin, Position* d_found) {
  constexpr int s = static_cast<int>(side);
  // An open element is the least one up to its chunk's end on that side.
  const auto value_of = [&](unsigned i) {
    return side == Side::left ? here.from_begin[padded(i)] : here.to_end[padded(i)];
  };
  const std::uint32_t count = here.opened[s];
  for (std::uint32_t base = 0; base < count; base += block_threads) {
    const bool any = base + threadIdx.x < count;
    const unsigned i = any ? here.open[s][base + threadIdx.x] : 0;
    __syncthreads();  // what all have read may be written over
    if (!any) continue;
    const Value value = value_of(i);
    const unsigned chunk = nearest_chunk<side, rule>(here, i / warp_lanes, value);
    if (chunk < chunks) {
      const std::uint64_t found = begin + nearest_in_chunk<side, rule>(here, chunk, value);
      d_found[begin + i] = static_cast<Position>(found < all.size ? found : all.none);
    } else {
      here.open[s][atomicAdd(&here.left[s], 1u)] = static_cast<std::uint16_t>(i);
    }
  }
  __syncthreads();
  const std::uint64_t from = side == Side::left ? begin : begin + block_values;
  const std::uint32_t left = here.left[s];
  if (left <= tuning::smaller_by_warps) {
    for (std::uint32_t k = threadIdx.x / warp_lanes; k < left; k += block_threads / warp_lanes) {
      const unsigned i = here.open[s][k];
      const std::uint64_t found = warp_nearest<side, rule>(all, from, value_of(i));
      if (threadIdx.x % warp_lanes == 0) d_found[begin + i] = static_cast<Position>(found);
    }
  } else {
    for (std::uint32_t k = threadIdx.x; k < left; k += block_threads) {
      const unsigned i = here.open[s][k];
      d_found[begin + i] = static_cast<Position>(nearest<side, rule>(all, from, value_of(i)));
    }
  }
}

/// A block per tile. Warps resolve chunks of 32 in registers; what is open after that, about one in
/// eight of values in random order, looks for the nearest chunk of the tile with a smaller value,
/// and then in it; a few search the hierarchy of the whole array. d_left and d_right may be null.
template <Smaller left_rule, Smaller right_rule, class Value, class Position>
__global__ void __launch_bounds__(block_threads)
    nearest_kernel(RangeMinimaView<Value> all, Position* d_left, Position* d_right) {
  __shared__ Tile<Value> here;
  if (threadIdx.x < 2) here.opened[threadIdx.x] = here.left[threadIdx.x] = 0;
  __syncthreads();
  const std::uint64_t begin = std::uint64_t{blockIdx.x} * block_values;
  const auto count =
      static_cast<unsigned>(all.size - begin < block_values ? all.size - begin : block_values);
  const unsigned lane = threadIdx.x % warp_lanes;
  for (unsigned i = threadIdx.x; i < block_values; i += block_threads) {
    const bool exists = i < count;
    const Value value = exists ? all.values[begin + i] : largest_value<Value>;
    const ChunkMinima<Value> before = chunk_minima<Side::left>(value);
    const ChunkMinima<Value> behind = chunk_minima<Side::right>(value);
    here.from_begin[padded(i)] = before.of_all;
    here.to_end[padded(i)] = behind.of_all;
    if (lane == 0) here.least[0][i / warp_lanes] = behind.of_all;
    const unsigned chunk = i - lane;
    if (d_left != nullptr) {
      const int found = resolve_in_chunk<Side::left, left_rule>(before, value);
      const bool resolved = found >= 0;
      if (exists && resolved)
        d_left[begin + i] = static_cast<Position>(begin + chunk + static_cast<unsigned>(found));
      open_elements(here, Side::left, exists && !resolved, i);
    }
    if (d_right != nullptr) {
      const auto found =
          static_cast<unsigned>(resolve_in_chunk<Side::right, right_rule>(behind, value));
      const bool resolved = found < warp_lanes;
      if (exists && resolved) {
        const bool is_one = chunk + found < count;
        d_right[begin + i] = static_cast<Position>(is_one ? begin + chunk + found : all.none);
      }
      open_elements(here, Side::right, exists && !resolved, i);
    }
  }
  __syncthreads();
  for (unsigned k = 1; k < spans; ++k) {
    for (unsigned c = threadIdx.x; c < chunks; c += block_threads) {
      const unsigned other = c + (1u << (k - 1));
      const Value below = here.least[k - 1][c];
      here.least[k][c] = other < chunks ? lesser(below, here.least[k - 1][other]) : below;
    }
    __syncthreads();
  }
  if (d_left != nullptr) resolve_open<Side::left, left_rule>(here, all, begin, d_left);
  if (d_right != nullptr) resolve_open<Side::right, right_rule>(here, all, begin, d_right);
}

}  // namespace

template <class Value, class Position>
void nearest_smaller_async(const Value* d_values, std::uint64_t size, const SmallerRules& rules,
                           Position* d_left, Position* d_right, DeviceStream stream) {
  static_assert(static_cast<Position>(RangeMinimaView<Value>::none) == no_position<Position>);
  if (size == 0) return;
  const DeviceRangeMinima<Value> minima(d_values, size, stream);
  with_smaller_rules(rules, [&]<Smaller left_rule, Smaller right_rule>() {
    nearest_kernel<left_rule, right_rule>
        <<<blocks_for(size, block_values), block_threads, 0, stream>>>(minima.view(), d_left,
                                                                       d_right);
  });
  GSX_CUDA_CHECK(cudaGetLastError());
}

#define GSX_NEAREST_SMALLER(Value, Position)                                                       \
  template void nearest_smaller_async(const Value*, std::uint64_t, const SmallerRules&, Position*, \
                                      Position*, DeviceStream);
#define GSX_NEAREST_SMALLER_OF(Value)       \
  GSX_NEAREST_SMALLER(Value, std::uint32_t) \
  GSX_NEAREST_SMALLER(Value, std::uint64_t)
GSX_NEAREST_SMALLER_OF(std::uint8_t)
GSX_NEAREST_SMALLER_OF(std::uint16_t)
GSX_NEAREST_SMALLER_OF(std::uint32_t)
GSX_NEAREST_SMALLER_OF(std::uint64_t)
#undef GSX_NEAREST_SMALLER_OF
#undef GSX_NEAREST_SMALLER

}  // namespace gsx::cuda
