#include <algorithm>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <vector>

#include "kernels/cub_temporary.hpp"
#include "kernels/first_sort.hpp"
#include "kernels/group_sort.hpp"
#include "kernels/tuning.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;
using tuning::prefix_bits;
using tuning::tile_positions;

constexpr unsigned warps = block_threads / 32;
constexpr unsigned rounds = tile_positions / block_threads;  // each warp scans 32 * rounds in order
constexpr std::uint32_t prefixes = 1u << prefix_bits;

/// Leading bits of a key.
__device__ std::uint32_t prefix_of(const KeyLayout& layout, std::uint64_t key) {
  return static_cast<std::uint32_t>(key >> (layout.symbol_bits + layout.length_bits - prefix_bits));
}

/// Position that a lane looks at in one round: a warp's positions follow one another.
__device__ std::uint64_t position_of(unsigned round) {
  return std::uint64_t{blockIdx.x} * tile_positions + (threadIdx.x / 32) * 32 * rounds +
         round * 32 + threadIdx.x % 32;
}

/// counts[prefix] += suffixes with that prefix. Separators are no suffixes here.
__global__ void __launch_bounds__(block_threads)
    histogram_kernel(KeyLayout layout, std::uint64_t n, unsigned long long* d_counts) {
  __shared__ std::uint32_t counts[prefixes];
  for (unsigned i = threadIdx.x; i < prefixes; i += block_threads)
    counts[i] = 0;
  __syncthreads();
  const std::uint64_t stride = std::uint64_t{gridDim.x} * block_threads;
  for (std::uint64_t p = std::uint64_t{blockIdx.x} * block_threads + threadIdx.x; p < n;
       p += stride) {
    const std::uint64_t key = layout.at(p);
    if (key != 0) atomicAdd(&counts[prefix_of(layout, key)], 1u);
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < prefixes; i += block_threads) {
    if (counts[i] != 0) atomicAdd(&d_counts[i], static_cast<unsigned long long>(counts[i]));
  }
}

/// The batches: batch b holds prefixes [first[b], first[b + 1]).
struct Batches {
  std::uint32_t first[tuning::max_batches + 1];
  std::uint32_t count;
};

/// counts[b * tiles + tile] = suffixes of batch b in a tile.
__global__ void __launch_bounds__(block_threads)
    count_kernel(KeyLayout layout, std::uint64_t n, Batches batches, std::uint64_t* d_counts) {
  __shared__ std::uint32_t counts[tuning::max_batches];
  if (threadIdx.x < batches.count) counts[threadIdx.x] = 0;
  __syncthreads();
  std::uint32_t found[rounds];
  for (unsigned round = 0; round < rounds; ++round) {
    const std::uint64_t p = position_of(round);
    const std::uint64_t key = p < n ? layout.at(p) : 0;
    found[round] = key == 0 ? prefixes : prefix_of(layout, key);
  }
  for (std::uint32_t b = 0; b < batches.count; ++b) {
    std::uint32_t sum = 0;
    for (unsigned round = 0; round < rounds; ++round) {
      sum += found[round] >= batches.first[b] && found[round] < batches.first[b + 1];
    }
    sum = __reduce_add_sync(~0u, sum);
    if (threadIdx.x % 32 == 0) atomicAdd(&counts[b], sum);
  }
  __syncthreads();
  if (threadIdx.x < batches.count) {
    d_counts[std::uint64_t{threadIdx.x} * gridDim.x + blockIdx.x] = counts[threadIdx.x];
  }
}

/// Writes keys and positions of the suffixes with a prefix in [first, last), in text order, from
/// where offsets[tile] - base says.
__global__ void __launch_bounds__(block_threads)
    collect_kernel(KeyLayout layout, std::uint64_t n, std::uint32_t first, std::uint32_t last,
                   const std::uint64_t* d_offsets, std::uint64_t base, std::uint64_t* d_keys,
                   std::uint32_t* d_positions) {
  __shared__ std::uint32_t warp_counts[warps];
  const unsigned warp = threadIdx.x / 32;
  std::uint64_t keys[rounds];
  std::uint32_t chosen[rounds];  // lanes of the warp that have a suffix in this round
  std::uint32_t sum = 0;
#pragma unroll
  for (unsigned round = 0; round < rounds; ++round) {
    const std::uint64_t p = position_of(round);
    keys[round] = p < n ? layout.at(p) : 0;
    const std::uint32_t prefix = prefix_of(layout, keys[round]);
    chosen[round] = __ballot_sync(~0u, keys[round] != 0 && prefix >= first && prefix < last);
    sum += static_cast<std::uint32_t>(__popc(chosen[round]));
  }
  if (threadIdx.x % 32 == 0) warp_counts[warp] = sum;
  __syncthreads();
  std::uint64_t out = d_offsets[blockIdx.x] - base;
  for (unsigned w = 0; w < warp; ++w)
    out += warp_counts[w];
  const std::uint32_t lower_lanes = (1u << (threadIdx.x % 32)) - 1;
#pragma unroll
  for (unsigned round = 0; round < rounds; ++round) {
    if ((chosen[round] >> (threadIdx.x % 32) & 1) != 0) {
      const std::uint64_t slot =
          out + static_cast<std::uint32_t>(__popc(chosen[round] & lower_lanes));
      d_keys[slot] = keys[round];
      d_positions[slot] = static_cast<std::uint32_t>(position_of(round));
    }
    out += static_cast<std::uint32_t>(__popc(chosen[round]));
  }
}

/// Groups begin where keys differ above their lowest `low_bits` bits.
__global__ void heads_kernel(const std::uint64_t* d_keys, std::uint64_t count,
                             std::uint32_t low_bits, std::uint8_t* d_heads) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count) d_heads[i] = i == 0 || (d_keys[i] ^ d_keys[i - 1]) >> low_bits != 0 ? 1 : 0;
}

/// Row base + i of the suffix array is positions[i], tied to the row above when it is no head. One
/// thread a row, warps aligned to words of `tied`.
__global__ void store_kernel(Slots slots, std::uint64_t count, std::uint64_t base,
                             std::uint32_t* d_rows, std::uint32_t* d_tied) {
  const std::uint64_t row =
      (base & ~std::uint64_t{31}) + std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  bool tied = false;
  if (row >= base && row < base + count) {
    const std::uint64_t i = row - base;
    d_rows[row] = slots.positions[i];
    tied = slots.heads[i] == 0;
  }
  const std::uint32_t word = __ballot_sync(~0u, tied);
  if (threadIdx.x % 32 == 0 && word != 0) atomicOr(&d_tied[row / 32], word);
}

__global__ void store_separators_kernel(SegmentsView segments, std::uint32_t* d_rows) {
  const std::uint64_t k = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k < segments.count) d_rows[k] = static_cast<std::uint32_t>(segments.starts[k + 1] - 1);
}

std::vector<unsigned long long> count_prefixes(const KeyLayout& layout, std::uint64_t n,
                                               cudaStream_t stream) {
  DeviceBuffer<unsigned long long> d_counts(prefixes, stream);
  GSX_CUDA_CHECK(cudaMemsetAsync(d_counts.data(), 0, d_counts.bytes(), stream));
  const unsigned blocks = std::min(blocks_for(n, block_threads), 132u * 16);
  histogram_kernel<<<blocks, block_threads, 0, stream>>>(layout, n, d_counts.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  std::vector<unsigned long long> counts(prefixes);
  d_counts.copy_to_async(counts.data());
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
  return counts;
}

/// Cuts the prefixes into batches of at most `limit` suffixes, or of one prefix.
Batches divide(const std::vector<unsigned long long>& counts, std::uint64_t limit,
               std::vector<std::uint64_t>& sizes) {
  Batches batches{};
  std::uint64_t size = 0;
  for (std::uint32_t prefix = 0; prefix < prefixes; ++prefix) {
    const bool full = size > 0 && size + counts[prefix] > limit;
    if (full && batches.count + 1 < tuning::max_batches) {
      sizes.push_back(size);
      batches.first[++batches.count] = prefix;
      size = 0;
    }
    size += counts[prefix];
  }
  sizes.push_back(size);
  batches.first[++batches.count] = prefixes;
  return batches;
}

}  // namespace

SortedRows sort_by_first_key(const KeyLayout& layout, cudaStream_t stream,
                             const ProgressReport& progress) {
  const TextView& text = layout.keys.text;
  const std::uint64_t n = text.length();
  SortedRows sorted{DeviceBuffer<std::uint32_t>(n, stream),
                    DeviceBuffer<std::uint32_t>(n / 32 + 2, stream)};
  GSX_CUDA_CHECK(cudaMemsetAsync(sorted.tied.data(), 0, sorted.tied.bytes(), stream));
  store_separators_kernel<<<blocks_for(text.segments.count, block_threads), block_threads, 0,
                            stream>>>(text.segments, sorted.rows.data());
  GSX_CUDA_CHECK(cudaGetLastError());

  std::vector<std::uint64_t> sizes;
  const Batches batches = divide(count_prefixes(layout, n, stream), tuning::batch_suffixes, sizes);
  const std::uint64_t largest = *std::max_element(sizes.begin(), sizes.end());
  const unsigned tiles = blocks_for(n, tile_positions);
  DeviceBuffer<std::uint64_t> offsets(std::uint64_t{tiles} * batches.count, stream);
  count_kernel<<<tiles, block_threads, 0, stream>>>(layout, n, batches, offsets.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  run_cub_async(
      [&](void* workspace, std::size_t& bytes) {
        return cub::DeviceScan::ExclusiveSum(workspace, bytes, offsets.data(), offsets.data(),
                                             offsets.size(), stream);
      },
      stream);

  DeviceBuffer<std::uint64_t> keys(largest, stream), other_keys(largest, stream);
  DeviceBuffer<std::uint32_t> positions(largest, stream), other_positions(largest, stream);
  DeviceBuffer<std::uint8_t> heads(largest, stream), other_heads(largest, stream);
  const std::uint32_t low_bits =
      layout.width() > tuning::radix_bits ? layout.width() - tuning::radix_bits : 0;
  std::uint64_t base = 0;
  for (std::uint32_t b = 0; b < batches.count; ++b) {
    if (progress) progress("sorting suffixes", static_cast<double>(base) / static_cast<double>(n));
    if (sizes[b] == 0) continue;
    collect_kernel<<<tiles, block_threads, 0, stream>>>(
        layout, n, batches.first[b], batches.first[b + 1],
        offsets.data() + std::uint64_t{b} * tiles, base, keys.data(), positions.data());
    GSX_CUDA_CHECK(cudaGetLastError());
    cub::DoubleBuffer<std::uint64_t> d_keys(keys.data(), other_keys.data());
    cub::DoubleBuffer<std::uint32_t> d_positions(positions.data(), other_positions.data());
    run_cub_async(
        [&](void* workspace, std::size_t& bytes) {
          return cub::DeviceRadixSort::SortPairs(workspace, bytes, d_keys, d_positions, sizes[b],
                                                 static_cast<int>(low_bits),
                                                 static_cast<int>(layout.width()), stream);
        },
        stream);
    const Slots from{d_keys.Current(), d_positions.Current(), heads.data()};
    const Slots to{d_keys.Alternate(), d_positions.Alternate(), other_heads.data()};
    heads_kernel<<<blocks_for(sizes[b], block_threads), block_threads, 0, stream>>>(
        from.keys, sizes[b], low_bits, from.heads);
    GSX_CUDA_CHECK(cudaGetLastError());
    sort_groups(from, to, sizes[b], low_bits, EndedKeys(layout), stream);
    store_kernel<<<blocks_for(sizes[b] + 32, block_threads), block_threads, 0, stream>>>(
        to, sizes[b], text.segments.count + base, sorted.rows.data(), sorted.tied.data());
    GSX_CUDA_CHECK(cudaGetLastError());
    base += sizes[b];
  }
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
  return sorted;
}

}  // namespace gsx::cuda
