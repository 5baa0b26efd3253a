#include "kernels/analysis/mappability/near_pairs.hpp"

#include <algorithm>
#include <cub/device/device_scan.cuh>

#include "base/bits.hpp"
#include "index/lcp/common_prefix.hpp"
#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/tuning.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

constexpr std::uint32_t all_lanes = ~0u;
constexpr unsigned lanes = 32;
constexpr unsigned warps = tuning::near_pair_threads / lanes;

__device__ std::uint64_t warp_largest(std::uint64_t value) {
  for (int distance = 16; distance > 0; distance /= 2) {
    const std::uint64_t other = __shfl_xor_sync(all_lanes, value, distance);
    if (other > value) value = other;
  }
  return value;
}

__device__ std::uint64_t warp_sum(std::uint64_t value) {
  for (int distance = 16; distance > 0; distance /= 2)
    value += __shfl_xor_sync(all_lanes, value, distance);
  return value;
}

/// How many jobs each tile of 32 rows makes: enough that none has many partners of a row.
template <class Pos>
__global__ void jobs_kernel(NearRowsView<Pos> rows, std::uint64_t tiles, std::uint64_t* d_jobs,
                            unsigned long long* d_pairs) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i / lanes >= tiles) return;
  const std::uint64_t partners = i < rows.count ? rows.partners_of(i).count() : 0;
  const std::uint64_t most = warp_largest(partners), sum = warp_sum(partners);
  if (i % lanes != 0) return;
  d_jobs[i / lanes] = (most + tuning::near_partners - 1) / tuning::near_partners;
  if (sum != 0) atomicAdd(d_pairs, static_cast<unsigned long long>(sum));
}

/// The first tile whose jobs end behind a job. Pre: there is one.
__device__ std::uint64_t tile_of(const std::uint64_t* d_ends, std::uint64_t tiles,
                                 std::uint64_t job) {
  std::uint64_t low = 0, high = tiles - 1;
  while (low < high) {
    const std::uint64_t middle = (low + high) / 2;
    if (d_ends[middle] <= job) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/// What a pair is looked at with.
template <class Pos>
struct PairLook {
  BothStrandsView text;
  NearWindows windows;
  OpenWindows open;
  NearPalindromes palindromes;
  NearRowsView<Pos> rows;
  std::uint32_t* d_steps;

  __device__ bool may_be_near(const NearSides& sides, std::uint32_t key,
                              std::uint64_t other) const {
    const bool at_start =
        NearKey::begins_segment(key) || NearKey::begins_segment(rows.d_keys[other]);
    return sides.may_be_near(rows.d_sides[other], windows, text.text.symbols.bits, at_start);
  }
  /// Adds the windows of the pair of rows i and j to both counts.
  __device__ void take(std::uint64_t i, std::uint64_t j) const {
    const std::uint64_t p = rows.d_rows[i], q = rows.d_rows[j];
    const std::uint64_t equal =
        rows.d_sides[i].equal_behind(rows.d_sides[j], text.text.symbols.bits);
    const std::uint64_t known = static_cast<std::uint64_t>(windows.seed()) + equal;
    const bool ends = equal < NearSides::held_behind(text.text.symbols.bits);
    const BoundedSuffix of_p(text.text, p), of_q(text.text, q);
    const std::uint64_t length =
        of_p.common_prefix(text.text.symbols, of_q, known, ends ? known : of_p.length);
    add_near_windows(text, windows, open, palindromes, p, q, length,
                     [this](std::uint64_t begin, std::uint64_t end) {
                       atomicAdd(d_steps + begin, 1u);
                       atomicAdd(d_steps + end, ~0u);
                     });
  }
};

/// A warp per job.
template <class Pos>
__global__ void __launch_bounds__(tuning::near_pair_threads)
    pairs_kernel(PairLook<Pos> look, const std::uint64_t* d_ends, std::uint64_t tiles,
                 std::uint64_t first_job, std::uint64_t last_job) {
  __shared__ std::uint32_t waiting_rows[warps][2 * lanes];
  __shared__ std::uint32_t waiting_partners[warps][2 * lanes];
  const unsigned warp = threadIdx.x / lanes, lane = threadIdx.x % lanes;
  const std::uint64_t job = first_job + std::uint64_t{blockIdx.x} * warps + warp;
  if (job >= last_job) return;
  const std::uint64_t tile = tile_of(d_ends, tiles, job);
  const std::uint64_t part = job - (tile == 0 ? 0 : d_ends[tile - 1]);
  const std::uint64_t row = tile * lanes + lane;
  NearPartners partners;
  NearSides sides;
  std::uint32_t key = 0;
  if (row < look.rows.count) {
    partners = look.rows.partners_of(row);
    sides = look.rows.d_sides[row];
    key = look.rows.d_keys[row];
  }
  const std::uint64_t begin = part * tuning::near_partners;
  const std::uint64_t left = partners.count() < begin ? 0 : partners.count() - begin;
  const std::uint64_t size = left < tuning::near_partners ? left : tuning::near_partners;
  const std::uint64_t longest = warp_largest(size);
  const std::uint32_t lower_lanes = (1u << lane) - 1;
  std::uint32_t waiting = 0;
  for (std::uint64_t i = 0; i < longest; ++i) {
    const std::uint64_t other = i < size ? partners[begin + i] : 0;
    const bool near = i < size && look.may_be_near(sides, key, other);
    const std::uint32_t found = __ballot_sync(all_lanes, near);
    if (found == 0) continue;
    if (near) {
      const std::uint32_t at = waiting + static_cast<std::uint32_t>(__popc(found & lower_lanes));
      waiting_rows[warp][at] = static_cast<std::uint32_t>(row);
      waiting_partners[warp][at] = static_cast<std::uint32_t>(other);
    }
    waiting += static_cast<std::uint32_t>(__popc(found));
    __syncwarp();
    if (waiting < lanes) continue;
    waiting -= lanes;
    look.take(waiting_rows[warp][waiting + lane], waiting_partners[warp][waiting + lane]);
    __syncwarp();
  }
  if (lane < waiting) look.take(waiting_rows[warp][lane], waiting_partners[warp][lane]);
}

}  // namespace

template <class Pos>
void NearPairs::add(const NearRowsView<Pos>& rows) {
  if (rows.count == 0) return;
  const std::uint64_t tiles = divide_up(rows.count, lanes);
  DeviceBuffer<std::uint64_t> ends(tiles, stream_);
  DeviceBuffer<unsigned long long> d_pairs(1, stream_);
  GSX_CUDA_CHECK(cudaMemsetAsync(d_pairs.data(), 0, d_pairs.bytes(), stream_));
  jobs_kernel<<<blocks_for(tiles * lanes, block_threads), block_threads, 0, stream_>>>(
      rows, tiles, ends.data(), d_pairs.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  run_cub_async(
      [&](void* workspace, std::size_t& bytes) {
        return cub::DeviceScan::InclusiveSum(workspace, bytes, ends.data(), ends.data(), tiles,
                                             stream_);
      },
      stream_);
  std::uint64_t jobs = 0;
  GSX_CUDA_CHECK(cudaMemcpyAsync(&jobs, ends.data() + tiles - 1, sizeof jobs,
                                 cudaMemcpyDeviceToHost, stream_));
  const std::uint64_t pairs = first_value(d_pairs, stream_);
  if (pairs == 0) return;
  pairs_ += pairs;
  const std::uint64_t between = tuning::near_pairs_per_position * text_.half;
  const std::uint64_t slices = std::min(divide_up(pairs, between), jobs);
  for (std::uint64_t s = 0; s < slices; ++s) {
    if (unclosed_ >= between) {
      counts_.close_full_async();
      unclosed_ = 0;
    }
    unclosed_ += divide_up(pairs, slices);
    const PairLook<Pos> look{text_, windows_,       counts_.open(), counts_.palindromes(),
                             rows,  counts_.steps()};
    const auto border = [&](std::uint64_t slice) {
      return jobs / slices * slice + std::min(slice, jobs % slices);
    };
    const std::uint64_t first = border(s), last = border(s + 1);
    pairs_kernel<<<blocks_for(last - first, warps), tuning::near_pair_threads, 0, stream_>>>(
        look, ends.data(), tiles, first, last);
    GSX_CUDA_CHECK(cudaGetLastError());
  }
}

template void NearPairs::add(const NearRowsView<std::uint32_t>&);
template void NearPairs::add(const NearRowsView<std::uint64_t>&);

}  // namespace gsx::cuda
