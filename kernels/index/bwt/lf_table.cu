#include <cub/device/device_scan.cuh>

#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/tuning.hpp"
#include "kernels/index/bwt/lf_table.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

constexpr unsigned warp = 32;
constexpr unsigned warps = block_threads / warp;
constexpr unsigned whole_warp = 0xFFFFFFFF;
constexpr unsigned tile = tuning::lf_tile_rows;
constexpr unsigned warp_rows = tile / warps;
constexpr unsigned keys = 256;

/// Separators come first.
__device__ unsigned key_of(std::uint8_t code) {
  return (code + 1u) & 0xFF;
}

/// Counts of a tile by warp and key, for keys below 256.
struct TileCounts {
  std::uint32_t of_warp[warps][keys];
};

/// Calls visit(row, key, same) for the rows of a warp, 32 at a time, in order. `same` has the lanes
/// of the same key.
template <class Visit>
__device__ void for_each_row(const std::uint8_t* d_codes, std::uint64_t size, const Visit& visit) {
  const std::uint64_t first = std::uint64_t{blockIdx.x} * tile + threadIdx.x / warp * warp_rows;
  for (unsigned round = 0; round < warp_rows; round += warp) {
    const std::uint64_t row = first + round + threadIdx.x % warp;
    const unsigned key = row < size ? key_of(d_codes[row]) : keys;
    const unsigned same = __match_any_sync(whole_warp, key);
    if (key < keys) visit(row, key, same);
    __syncwarp();
  }
}

__device__ void count_tile(const std::uint8_t* d_codes, std::uint64_t size, TileCounts& counts) {
  for (unsigned i = threadIdx.x; i < warps * keys; i += block_threads)
    counts.of_warp[i / keys][i % keys] = 0;
  __syncthreads();
  std::uint32_t* own = counts.of_warp[threadIdx.x / warp];
  for_each_row(d_codes, size, [&](std::uint64_t, unsigned key, unsigned same) {
    const unsigned lane = threadIdx.x % warp;
    if ((same & ((1u << lane) - 1)) == 0) own[key] += static_cast<std::uint32_t>(__popc(same));
  });
  __syncthreads();
}

/// d_counts[key * tiles + tile]: rows of the tile with that key.
template <class Pos>
__global__ void __launch_bounds__(block_threads)
    count_kernel(const std::uint8_t* d_codes, std::uint64_t size, unsigned used_keys,
                 Pos* d_counts) {
  __shared__ TileCounts counts;
  count_tile(d_codes, size, counts);
  const unsigned key = threadIdx.x;
  if (key >= used_keys) return;
  std::uint32_t sum = 0;
  for (unsigned w = 0; w < warps; ++w)
    sum += counts.of_warp[w][key];
  d_counts[std::uint64_t{key} * gridDim.x + blockIdx.x] = sum;
}

/// d_next[row] = where a stable sort by key moves the row. d_before: as d_counts, summed up.
template <class Pos>
__global__ void __launch_bounds__(block_threads)
    place_kernel(const std::uint8_t* d_codes, std::uint64_t size, unsigned used_keys,
                 const Pos* d_before, Pos* d_next) {
  __shared__ TileCounts counts;
  __shared__ Pos before[keys];
  count_tile(d_codes, size, counts);
  const unsigned key = threadIdx.x;
  if (key < used_keys) {
    before[key] = d_before[std::uint64_t{key} * gridDim.x + blockIdx.x];
    std::uint32_t sum = 0;
    for (unsigned w = 0; w < warps; ++w) {
      const std::uint32_t here = counts.of_warp[w][key];
      counts.of_warp[w][key] = sum;
      sum += here;
    }
  }
  __syncthreads();
  std::uint32_t* own = counts.of_warp[threadIdx.x / warp];
  for_each_row(d_codes, size, [&](std::uint64_t row, unsigned of_row, unsigned same) {
    const unsigned lower = same & ((1u << threadIdx.x % warp) - 1);
    std::uint32_t first = 0;
    if (lower == 0) {
      first = own[of_row];
      own[of_row] = first + static_cast<std::uint32_t>(__popc(same));
    }
    first = __shfl_sync(same, first, __ffs(static_cast<int>(same)) - 1);
    d_next[row] = before[of_row] + first + static_cast<std::uint32_t>(__popc(lower));
  });
}

template <class Pos>
__global__ void starts_kernel(const Pos* d_before, std::uint64_t tiles, unsigned symbols,
                              Pos* d_starts) {
  const unsigned code = threadIdx.x;
  d_starts[code] = code < symbols ? d_before[(code + 1) * tiles] : static_cast<Pos>(~Pos{0});
}

}  // namespace

template <class Pos>
DeviceLfTable<Pos> make_lf_table_async(const DeviceBuffer<std::uint8_t>& codes,
                                       const BwtAlphabet& alphabet, DeviceStream stream) {
  static_assert(keys == block_threads && TableSteps<Pos>::most_starts == block_threads);
  const std::uint64_t size = codes.size();
  const unsigned used_keys = alphabet.size + 1;
  const unsigned tiles = blocks_for(size, tile);
  DeviceBuffer<Pos> counts(std::uint64_t{used_keys} * tiles, stream);
  count_kernel<<<tiles, block_threads, 0, stream>>>(codes.data(), size, used_keys, counts.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  run_cub_async(
      [&](void* workspace, std::size_t& bytes) {
        return cub::DeviceScan::ExclusiveSum(workspace, bytes, counts.data(), counts.data(),
                                             counts.size(), stream);
      },
      stream);
  DeviceLfTable<Pos> table{DeviceBuffer<Pos>(size, stream),
                           DeviceBuffer<Pos>(TableSteps<Pos>::most_starts, stream),
                           static_cast<Pos>(alphabet.separators), 1};
  while (2 * table.half < alphabet.size)
    table.half *= 2;
  place_kernel<<<tiles, block_threads, 0, stream>>>(codes.data(), size, used_keys, counts.data(),
                                                    table.next.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  starts_kernel<<<1, block_threads, 0, stream>>>(counts.data(), std::uint64_t{tiles}, alphabet.size,
                                                 table.starts.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  return table;
}

template DeviceLfTable<std::uint32_t> make_lf_table_async(const DeviceBuffer<std::uint8_t>&,
                                                          const BwtAlphabet&, DeviceStream);
template DeviceLfTable<std::uint64_t> make_lf_table_async(const DeviceBuffer<std::uint8_t>&,
                                                          const BwtAlphabet&, DeviceStream);

}  // namespace gsx::cuda
