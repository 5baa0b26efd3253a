// The kernels that every kind of scan has. A scan's tile type says what differs:
//   Tile::Scan                       what its kernels are given
//   Tile::Shared                     its room in shared memory
//   Tile(scan, index, shared)        for the whole block
//   tile.prefix(round)               of the suffix that this thread looks at, or no_prefix
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/bits.hpp"
#include "kernels/text/text_scan.hpp"

namespace gsx::cuda::scanning {

using tuning::block_threads;
using tuning::prefix_bits;
using tuning::tile_positions;

inline constexpr unsigned warps = block_threads / 32;
/// Each warp scans 32 * rounds positions in order.
inline constexpr unsigned rounds = tile_positions / block_threads;
inline constexpr std::uint32_t no_prefix = prefixes;
inline constexpr std::uint8_t no_batch = tuning::max_batches;

/// Place in its tile of the suffix that a thread looks at in one round: those of a warp follow one
/// another.
__device__ inline unsigned slot_of(unsigned round) {
  return (threadIdx.x / 32) * 32 * rounds + round * 32 + threadIdx.x % 32;
}

__device__ inline std::uint32_t prefix_of(std::uint64_t leading) {
  return static_cast<std::uint32_t>(leading >> (64 - prefix_bits));
}

inline unsigned tiles_of(const TextView& text) {
  return static_cast<unsigned>(divide_up(text.length(), tile_positions));
}

/// counts[prefix] += suffixes with that prefix.
template <class Tile>
__global__ void __launch_bounds__(block_threads)
    histogram_kernel(typename Tile::Scan scan, std::uint64_t tiles, unsigned long long* d_counts) {
  __shared__ typename Tile::Shared shared;
  __shared__ std::uint32_t counts[prefixes];
  for (unsigned i = threadIdx.x; i < prefixes; i += block_threads)
    counts[i] = 0;
  for (std::uint64_t index = blockIdx.x; index < tiles; index += gridDim.x) {
    const Tile tile(scan, index, shared);
    for (unsigned round = 0; round < rounds; ++round) {
      const std::uint32_t prefix = tile.prefix(round);
      if (prefix != no_prefix) atomicAdd(&counts[prefix], 1u);
    }
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < prefixes; i += block_threads) {
    if (counts[i] != 0) atomicAdd(&d_counts[i], static_cast<unsigned long long>(counts[i]));
  }
}

/// counts[b * tiles + tile] = suffixes of batch b in a tile; batch_of maps prefixes to batches.
template <class Tile>
__global__ void __launch_bounds__(block_threads)
    count_kernel(typename Tile::Scan scan, const std::uint8_t* d_batch_of, std::uint32_t batches,
                 std::uint64_t* d_counts) {
  __shared__ typename Tile::Shared shared;
  __shared__ std::uint32_t counts[tuning::max_batches + 1];
  for (unsigned b = threadIdx.x; b <= tuning::max_batches; b += block_threads)
    counts[b] = 0;
  const Tile tile(scan, blockIdx.x, shared);  // waits for the block
  for (unsigned round = 0; round < rounds; ++round) {
    const std::uint32_t prefix = tile.prefix(round);
    const std::uint32_t batch = prefix != no_prefix ? d_batch_of[prefix] : no_batch;
    const std::uint32_t peers = __match_any_sync(~0u, batch);
    if (threadIdx.x % 32 == static_cast<unsigned>(__ffs(static_cast<int>(peers)) - 1)) {
      atomicAdd(&counts[batch], static_cast<std::uint32_t>(__popc(peers)));
    }
  }
  __syncthreads();
  for (unsigned b = threadIdx.x; b < batches; b += block_threads) {
    d_counts[std::uint64_t{b} * gridDim.x + blockIdx.x] = counts[b];
  }
}

template <class Tile>
void count_prefixes_async(const typename Tile::Scan& scan, unsigned long long* d_counts,
                          cudaStream_t stream) {
  const unsigned tiles = tiles_of(scan.text);
  histogram_kernel<Tile><<<std::min(tiles, tuning::scanning_blocks), block_threads, 0, stream>>>(
      scan, tiles, d_counts);
  GSX_CUDA_CHECK(cudaGetLastError());
}

template <class Tile>
void count_suffixes_async(const typename Tile::Scan& scan, const std::uint8_t* d_batch_of,
                          std::uint32_t batches, std::uint64_t* d_counts, cudaStream_t stream) {
  count_kernel<Tile>
      <<<tiles_of(scan.text), block_threads, 0, stream>>>(scan, d_batch_of, batches, d_counts);
  GSX_CUDA_CHECK(cudaGetLastError());
}

}  // namespace gsx::cuda::scanning
