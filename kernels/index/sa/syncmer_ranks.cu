#include <algorithm>
#include <utility>

#include "base/bits.hpp"
#include "index/sa/suffix_key.hpp"
#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/tuning.hpp"
#include "kernels/index/sa/doubling.hpp"
#include "kernels/index/sa/sample_rows.hpp"
#include "kernels/index/sa/syncmer_ranks.hpp"
#include "kernels/text/leading_bits.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

constexpr std::uint32_t widest_window = 30;  // of DNA, what 30 bits and first_rounds tell
constexpr std::uint32_t narrowest_window = 12;
constexpr std::uint32_t mer_bits = 24;  // enough to make equal mers in a window rare
constexpr unsigned block_positions = 1024;

constexpr std::uint32_t mer_symbols(std::uint32_t symbol_bits) {
  return static_cast<std::uint32_t>(divide_up(mer_bits, symbol_bits));
}
// Suffixes are compared in the text before they are ranked.
static_assert(most_carried_symbols < mer_symbols(8) + 2 * narrowest_window);
static_assert(32 < 2 * (mer_symbols(2) + 2 * narrowest_window) &&
              32 < mer_symbols(1) + 2 * narrowest_window);  // keys of 32 bits

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
  __shared__ std::uint32_t hashes[block_positions + widest_window];
  const std::uint64_t begin = std::uint64_t{blockIdx.x} * block_positions;
  const std::uint64_t n = rule.text.length();
  for (unsigned i = threadIdx.x; i < block_positions + rule.window; i += block_threads)
    hashes[i] = begin + i < n ? rule.hash(begin + i) : 0;
  __syncthreads();
  for (unsigned i = threadIdx.x; i < block_positions; i += block_threads) {
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

}  // namespace

std::uint64_t least_syncmer_depth(std::uint32_t symbol_bits) {
  return mer_symbols(symbol_bits) + 2 * narrowest_window;
}

std::uint64_t sparse_syncmer_depth(std::uint32_t symbol_bits) {
  const std::uint64_t few_keys = 3 * (64 - SuffixKeys::length_bits) / symbol_bits;
  return std::clamp<std::uint64_t>(few_keys, least_syncmer_depth(symbol_bits),
                                   mer_symbols(symbol_bits) + 2 * widest_window);
}

SyncmerRanks::SyncmerRanks(const TextView& d_text, std::uint64_t depth, DeviceStream stream)
    : stream_(stream), length_(d_text.length()), marks_(zero_blocks(length_, stream)) {
  mark_syncmers_kernel<<<blocks_for(length_, block_positions), block_threads, 0, stream>>>(
      SyncmerRule(d_text, depth), marks_.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  count_ = count_ranks(marks_, stream);
  order_ = DeviceBuffer<std::uint32_t>(count_, stream);
  heads_ = DeviceBuffer<std::uint8_t>(count_, stream);
}

template <class Pos>
void SyncmerRanks::append(const Stretch<Pos>& stretch) {
  const std::uint64_t rows = stretch.rows.size();
  const ChosenRows chosen = choose_samples(samples(), stretch.rows, count_ - appended_, stream_);
  if (chosen.count == 0) return;
  append_kernel<<<blocks_for(chosen.count, block_threads), block_threads, 0, stream_>>>(
      samples(), stretch.rows.data(), RankBitVector{stretch.tied.data(), rows},
      chosen.places.data(), chosen.count, order_.data() + appended_, heads_.data() + appended_);
  GSX_CUDA_CHECK(cudaGetLastError());
  appended_ += chosen.count;
}

void SyncmerRanks::rank() {
  DeviceBuffer<RankBitBlock> ties = zero_blocks(count_, stream_);
  pack_ties_kernel<<<blocks_for(count_, block_threads), block_threads, 0, stream_>>>(
      heads_.data(), count_, ties.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  heads_ = DeviceBuffer<std::uint8_t>();
  TiedRows<std::uint32_t> tied(order_, RankBitVector{ties.data(), count_}, stream_);
  ranks_ = double_ranks(order_, tied);
  order_ = DeviceBuffer<std::uint32_t>();
}

template <class Pos>
void SyncmerRanks::settle(Stretch<Pos>& stretch) const {
  TiedRows<Pos> tied(stretch.rows, RankBitVector{stretch.tied.data(), stretch.rows.size()},
                     stream_);
  syncmer_keys_kernel<<<blocks_for(tied.size(), block_threads), block_threads, 0, stream_>>>(
      samples(), ranks_.data(), tied.positions(), tied.size(), tied.keys());
  GSX_CUDA_CHECK(cudaGetLastError());
  tied.sort(bits_for(count_), {});
  tied.store_async(stretch.rows);
  stretch.tied = DeviceBuffer<RankBitBlock>();
}

template void SyncmerRanks::append(const Stretch<std::uint32_t>&);
template void SyncmerRanks::append(const Stretch<std::uint64_t>&);
template void SyncmerRanks::settle(Stretch<std::uint32_t>&) const;
template void SyncmerRanks::settle(Stretch<std::uint64_t>&) const;

}  // namespace gsx::cuda
