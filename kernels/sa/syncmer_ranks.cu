#include <thrust/iterator/counting_iterator.h>

#include <algorithm>
#include <cub/device/device_select.cuh>

#include "base/bits.hpp"
#include "kernels/runtime/cub_temporary.hpp"
#include "kernels/runtime/tuning.hpp"
#include "kernels/sa/doubling.hpp"
#include "kernels/sa/syncmer_ranks.hpp"
#include "kernels/text/leading_bits.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

constexpr std::uint32_t widest_window = 32;
constexpr std::uint32_t narrowest_window = 16;
constexpr std::uint32_t mer_bits = 24;  // enough to make equal mers in a window rare
constexpr unsigned tile = 1024;

constexpr std::uint32_t mer_symbols(std::uint32_t symbol_bits) {
  return static_cast<std::uint32_t>(divide_up(mer_bits, symbol_bits));
}
// Suffixes are compared in the text before they are ranked.
static_assert(most_carried_symbols < mer_symbols(8) + 2 * narrowest_window);

/// Closed syncmers: position p is a sample when the smallest of the mers at p .. p + window, the
/// leftmost of equals, is the first or the last one. Of any `window` positions in a row one is.
struct SyncmerRule {
  TextView text;
  std::uint32_t mer;     ///< symbols
  std::uint32_t window;  ///< w

  SyncmerRule(const TextView& view, std::uint64_t depth)
      : text(view),
        mer(mer_symbols(view.symbols.bits)),
        window(
            static_cast<std::uint32_t>(std::min<std::uint64_t>(widest_window, (depth - mer) / 2))) {
  }

  __device__ std::uint32_t hash(std::uint64_t p) const {
    const std::uint64_t symbols = text.symbols.window(p) >> (64 - mer * text.symbols.bits);
    return static_cast<std::uint32_t>(symbols * 0x9E3779B97F4A7C15u >> 32);
  }
  /// Whether all that decides about p lies in its segment.
  __device__ bool is_decided(std::uint64_t p) const {
    return p + window + mer <= text.segments.separator_from(p);
  }
};

/// One block per tile of positions. Pre: the words of d_blocks are zero.
__global__ void __launch_bounds__(block_threads)
    mark_syncmers_kernel(SyncmerRule rule, RankBitBlock* d_blocks) {
  __shared__ std::uint32_t hashes[tile + widest_window];
  const std::uint64_t begin = std::uint64_t{blockIdx.x} * tile;
  const std::uint64_t n = rule.text.length();
  for (unsigned i = threadIdx.x; i < tile + rule.window; i += block_threads)
    hashes[i] = begin + i < n ? rule.hash(begin + i) : 0;
  __syncthreads();
  for (unsigned i = threadIdx.x; i < tile; i += block_threads) {
    const std::uint64_t p = begin + i;
    std::uint32_t smallest = hashes[i];
    unsigned at = 0;
    for (unsigned j = 1; j <= rule.window; ++j) {
      if (hashes[i + j] < smallest) {
        smallest = hashes[i + j];
        at = j;
      }
    }
    const bool chosen = p < n && (at == 0 || at == rule.window) && rule.is_decided(p);
    const std::uint32_t word = __ballot_sync(~0u, chosen);
    if (threadIdx.x % 32 == 0 && word != 0) {
      d_blocks[p / RankBitBlock::bits].words[p % RankBitBlock::bits / 32] = word;
    }
  }
}

template <class Pos>
struct IsSample {
  RankBitVector samples;
  const Pos* d_rows;
  __device__ bool operator()(std::uint64_t row) const { return samples.test(d_rows[row]); }
};

/// Appends the samples of one stretch: its rows `d_chosen` hold samples. `d_tied` may be null.
template <class Pos>
__global__ void append_kernel(RankBitVector samples, const Pos* d_rows, RankBitVector tied,
                              const std::uint32_t* d_chosen, std::uint64_t size,
                              std::uint32_t* d_order, std::uint8_t* d_heads) {
  const std::uint64_t k = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k >= size) return;
  const std::uint64_t row = d_chosen[k];
  d_order[k] = samples.rank(d_rows[row]);
  bool head = true;
  if (k > 0 && tied.blocks != nullptr) {
    // Samples are tied when every row after the one's up to the other's is.
    const std::uint64_t before = d_chosen[k - 1];
    head = tied.rank(row + 1) - tied.rank(before + 1) != row - before;
  }
  d_heads[k] = head ? 1 : 0;
}

__global__ void pack_ties_kernel(const std::uint8_t* d_heads, std::uint64_t size,
                                 RankBitBlock* d_blocks) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::uint32_t word = __ballot_sync(~0u, i < size && d_heads[i] == 0);
  if (i % 32 == 0 && i < size) {
    d_blocks[i / RankBitBlock::bits].words[i % RankBitBlock::bits / 32] = word;
  }
}

/// keys[i] = the rank of the first sample at or behind a suffix's begin.
template <class Pos>
__global__ void syncmer_keys_kernel(RankBitVector samples, const std::uint32_t* d_ranks,
                                    const Pos* d_positions, std::uint64_t size,
                                    std::uint64_t* d_keys) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < size) d_keys[i] = d_ranks[samples.rank(d_positions[i])];
}

DeviceBuffer<RankBitBlock> zero_blocks(std::uint64_t size, DeviceStream stream) {
  DeviceBuffer<RankBitBlock> blocks(RankBitVector::blocks_of(size), stream);
  GSX_CUDA_CHECK(cudaMemsetAsync(blocks.data(), 0, blocks.bytes(), stream));
  return blocks;
}

/// Samples in suffix order, as numbers in text order.
struct SyncmerList {
  DeviceBuffer<std::uint32_t> order;
  DeviceBuffer<RankBitBlock> tied;
};

template <class Pos>
SyncmerList list_syncmers(const RankBitVector& samples, std::uint64_t count,
                          const std::vector<Stretch<Pos>>& stretches, DeviceStream stream) {
  DeviceBuffer<std::uint32_t> order(count, stream);
  DeviceBuffer<std::uint8_t> heads(count, stream);
  DeviceBuffer<std::uint64_t> d_selected(1, stream);
  std::uint64_t done = 0;
  for (const Stretch<Pos>& stretch : stretches) {
    const std::uint64_t rows = stretch.rows.size();
    DeviceBuffer<std::uint32_t> chosen(std::min(rows, count - done), stream);
    run_cub_async(
        [&](void* workspace, std::size_t& bytes) {
          return cub::DeviceSelect::If(
              workspace, bytes, thrust::counting_iterator<std::uint64_t>(0), chosen.data(),
              d_selected.data(), rows, IsSample<Pos>{samples, stretch.rows.data()}, stream);
        },
        stream);
    const std::uint64_t found = first_value(d_selected, stream);
    if (found == 0) continue;
    append_kernel<<<blocks_for(found, block_threads), block_threads, 0, stream>>>(
        samples, stretch.rows.data(), RankBitVector{stretch.tied.data(), rows}, chosen.data(),
        found, order.data() + done, heads.data() + done);
    GSX_CUDA_CHECK(cudaGetLastError());
    done += found;
  }
  SyncmerList list{std::move(order), zero_blocks(count, stream)};
  pack_ties_kernel<<<blocks_for(count, block_threads), block_threads, 0, stream>>>(
      heads.data(), count, list.tied.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  return list;
}

}  // namespace

std::uint64_t least_syncmer_depth(std::uint32_t symbol_bits) {
  return mer_symbols(symbol_bits) + 2 * narrowest_window;
}

template <class Pos>
void rank_by_syncmers(const TextView& d_text, std::uint64_t depth,
                      std::vector<Stretch<Pos>>& stretches, DeviceStream stream) {
  const std::uint64_t n = d_text.length();
  DeviceBuffer<RankBitBlock> marks = zero_blocks(n, stream);
  mark_syncmers_kernel<<<blocks_for(n, tile), block_threads, 0, stream>>>(
      SyncmerRule(d_text, depth), marks.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  const std::uint64_t count = count_ranks(marks, stream);
  const RankBitVector samples{marks.data(), n};

  DeviceBuffer<std::uint32_t> ranks;
  {
    const SyncmerList list = list_syncmers(samples, count, stretches, stream);
    TiedRows<std::uint32_t> tied(list.order, RankBitVector{list.tied.data(), count}, stream);
    ranks = double_ranks(list.order, tied);
  }
  for (Stretch<Pos>& stretch : stretches) {
    if (stretch.settled()) continue;
    TiedRows<Pos> tied(stretch.rows, RankBitVector{stretch.tied.data(), stretch.rows.size()},
                       stream);
    syncmer_keys_kernel<<<blocks_for(tied.size(), block_threads), block_threads, 0, stream>>>(
        samples, ranks.data(), tied.positions(), tied.size(), tied.keys());
    GSX_CUDA_CHECK(cudaGetLastError());
    tied.sort(bits_for(count), {});
    tied.store_async(stretch.rows);
    stretch.tied = DeviceBuffer<RankBitBlock>();
  }
}

template void rank_by_syncmers(const TextView&, std::uint64_t, std::vector<Stretch<std::uint32_t>>&,
                               DeviceStream);
template void rank_by_syncmers(const TextView&, std::uint64_t, std::vector<Stretch<std::uint64_t>>&,
                               DeviceStream);

}  // namespace gsx::cuda
