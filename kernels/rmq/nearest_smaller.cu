#include "kernels/rmq/device_range_minima.hpp"
#include "kernels/rmq/nearest_smaller.hpp"
#include "kernels/runtime/cub_temporary.hpp"
#include "kernels/runtime/tuning.hpp"
#include "rmq/minima_levels.hpp"
#include "rmq/nearest_smaller.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

constexpr unsigned tile = tuning::smaller_tile;
/// Minima of level 1, and those of level 2, of which one group is the top.
constexpr unsigned tile_minima = tile / 16 + 16;
static_assert(tile % 256 == 0 && tile <= 16 * 256, "level 2 is the top level of a tile");

/// The nearest position before i whose value is smaller than `value`, as the rule says, or none.
template <Smaller rule, class Value>
__device__ std::uint64_t nearest_before(const RangeMinimaView<Value>& minima, std::uint64_t i,
                                        Value value) {
  if constexpr (rule == Smaller::or_equal) {
    if (value == largest_value<Value>) return i == 0 ? minima.none : i - 1;
    return minima.previous_below(i, static_cast<Value>(value + 1));
  }
  return minima.previous_below(i, value);
}
/// The same from i on.
template <Smaller rule, class Value>
__device__ std::uint64_t nearest_from(const RangeMinimaView<Value>& minima, std::uint64_t i,
                                      Value value) {
  if constexpr (rule == Smaller::or_equal) {
    if (value == largest_value<Value>) return i < minima.size ? i : minima.none;
    return minima.next_below(i, static_cast<Value>(value + 1));
  }
  return minima.next_below(i, value);
}

template <class Value>
struct Tile {
  Value values[tile];
  Value minima[tile_minima];
};

/// Copies the values from `begin` on, and makes their minima. For the whole block.
template <class Value>
__device__ RangeMinimaView<Value> load(Tile<Value>& here, const RangeMinimaView<Value>& all,
                                       std::uint64_t begin) {
  const std::uint64_t left = all.size - begin;
  const RangeMinimaView<Value> part{here.values, left < tile ? left : tile, here.minima, nullptr,
                                    nullptr};
  for (unsigned i = threadIdx.x; i < part.size; i += blockDim.x)
    here.values[i] = all.values[begin + i];
  std::uint64_t start = 0;
  for (unsigned level = 1; part.nodes(level - 1) > part.fanout; ++level) {
    __syncthreads();
    const MinimaLevels<Value> levels{part, here.minima, nullptr, nullptr};
    for (unsigned node = threadIdx.x; node < part.nodes(level); node += blockDim.x)
      levels.fill_minimum(level, start, node);
    start += part.padded(level);
  }
  __syncthreads();
  return part;
}

template <Smaller left_rule, Smaller right_rule, class Value, class Position>
__global__ void __launch_bounds__(block_threads)
    nearest_kernel(RangeMinimaView<Value> all, Position* d_left, Position* d_right) {
  __shared__ Tile<Value> here;
  const std::uint64_t begin = std::uint64_t{blockIdx.x} * tile;
  const RangeMinimaView<Value> part = load(here, all, begin);
  for (unsigned i = threadIdx.x; i < part.size; i += blockDim.x) {
    const Value value = here.values[i];
    if (d_left != nullptr) {
      std::uint64_t found = nearest_before<left_rule>(part, i, value);
      found = found != part.none ? begin + found : nearest_before<left_rule>(all, begin, value);
      d_left[begin + i] = static_cast<Position>(found);
    }
    if (d_right != nullptr) {
      std::uint64_t found = nearest_from<right_rule>(part, std::uint64_t{i} + 1, value);
      found = found != part.none ? begin + found
                                 : nearest_from<right_rule>(all, begin + part.size, value);
      d_right[begin + i] = static_cast<Position>(found);
    }
  }
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
        <<<blocks_for(size, tile), block_threads, 0, stream>>>(minima.view(), d_left, d_right);
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
