#include <algorithm>
#include <cub/block/block_scan.cuh>
#include <cub/device/device_radix_sort.cuh>

#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/tuning.hpp"
#include "kernels/search/sites/site_table.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

constexpr std::uint64_t block_places = std::uint64_t{block_threads} * PlaceWindow::places;
constexpr std::uint32_t all_lanes = ~std::uint32_t{0};

/// The window of a thread; whether it lies in the range.
__device__ bool load_window(const TextView& text, const SitePam& pam, const PlaceRange& range,
                            std::uint64_t begin, SiteWindow& window) {
  window.sites[0] = window.sites[1] = 0;
  if (begin >= range.end) return false;
  window.load(text, pam, begin);
  return true;
}

/// Each thread looks at one window. Those of a warp are in one slice.
__global__ void __launch_bounds__(block_threads)
    count_kernel(TextView text, SitePam pam, PlaceRange range, std::uint64_t slice_places,
                 unsigned long long* counts) {
  const std::uint64_t begin =
      range.begin + blockIdx.x * block_places + threadIdx.x * PlaceWindow::places;
  SiteWindow window;
  load_window(text, pam, range, begin, window);
  std::uint32_t sum = window.count();
  for (int distance = 16; distance > 0; distance /= 2)
    sum += __shfl_xor_sync(all_lanes, sum, distance);
  if (threadIdx.x % 32 == 0 && sum != 0)
    atomicAdd(counts + (begin - range.begin) / slice_places, sum);
}

/// Each thread writes the sites of one window. The order of blocks does not matter: the sites are
/// sorted, and so are hits.
__global__ void __launch_bounds__(block_threads)
    write_kernel(TextView text, SitePam pam, PlaceRange range, SiteSplit split, std::uint32_t* keys,
                 std::uint64_t* values, std::uint32_t room, std::uint32_t* written) {
  using Scan = cub::BlockScan<std::uint32_t, block_threads>;
  __shared__ typename Scan::TempStorage scanned;
  __shared__ std::uint32_t block_begin;
  const std::uint64_t begin =
      range.begin + blockIdx.x * block_places + threadIdx.x * PlaceWindow::places;
  SiteWindow window;
  load_window(text, pam, range, begin, window);
  std::uint32_t before = 0, all = 0;
  Scan(scanned).ExclusiveSum(window.count(), before, all);
  if (threadIdx.x == 0) block_begin = atomicAdd(written, all);
  __syncthreads();
  std::uint32_t at = block_begin + before;
  window.for_each(text, pam, begin, [&](std::uint64_t place, bool reverse, std::uint64_t key) {
    if (at < room) {
      keys[at] = split.bucket(key) * 2 + (reverse ? 1 : 0);
      values[at] = std::uint64_t{split.rest(key)} << 32 | (place - range.begin);
    }
    ++at;
  });
}

__global__ void __launch_bounds__(block_threads)
    part_kernel(const std::uint64_t* values, std::uint32_t count, std::uint32_t* rest,
                std::uint32_t* places) {
  const std::uint32_t i = blockIdx.x * block_threads + threadIdx.x;
  if (i >= count) return;
  const std::uint64_t value = values[i];
  rest[i] = static_cast<std::uint32_t>(value >> 32);
  places[i] = static_cast<std::uint32_t>(value);
}

/// Each thread searches the sorted keys for the first one that is not less than its number.
__global__ void __launch_bounds__(block_threads)
    offsets_kernel(const std::uint32_t* keys, std::uint32_t count, std::uint32_t* offsets,
                   std::uint32_t size) {
  const std::uint32_t key = blockIdx.x * block_threads + threadIdx.x;
  if (key >= size) return;
  std::uint32_t low = 0, high = count;
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (keys[middle] < key) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  offsets[key] = low;
}

/// Numbers of buckets and strands, and one beyond.
std::uint64_t offset_count(std::uint32_t half) {
  return (std::uint64_t{2} << 2 * half) + 1;
}

}  // namespace

std::vector<SitePart> count_sites(const TextView& d_text, const SitePam& pam,
                                  std::uint64_t slice_places, DeviceStream stream) {
  const std::uint64_t length = d_text.length();
  std::vector<SitePart> slices;
  for (std::uint64_t begin = 0; begin < length; begin += slice_places)
    slices.push_back({{begin, std::min(begin + slice_places, length)}});
  if (slices.empty()) return slices;
  DeviceBuffer<unsigned long long> d_counts(slices.size(), stream);
  GSX_CUDA_CHECK(cudaMemsetAsync(d_counts.data(), 0, d_counts.bytes(), stream));
  count_kernel<<<blocks_for(length, block_places), block_threads, 0, stream>>>(
      d_text, pam, {0, length}, slice_places, d_counts.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  std::vector<unsigned long long> counts(slices.size());
  d_counts.copy_to_async(counts.data());
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
  for (std::size_t i = 0; i < slices.size(); ++i)
    slices[i].sites = counts[i];
  return slices;
}

std::uint64_t DeviceSiteTable::bytes_to_build(std::uint64_t sites, std::uint32_t half) {
  return sites * 41 + offset_count(half) * 8 + (std::uint64_t{1} << 21);
}

DeviceSiteTable::DeviceSiteTable(const TextView& d_text, const SitePam& pam, const SitePart& part,
                                 std::uint32_t half, DeviceStream stream)
    : part_(part), guide_(pam.guide), half_(half) {
  for (const bool last : {false, true})
    halves_[last ? 1 : 0] = sort_async(d_text, pam, last, stream);
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
}

DeviceSiteTable::Half DeviceSiteTable::sort_async(const TextView& d_text, const SitePam& pam,
                                                  bool last, DeviceStream stream) const {
  const auto count = static_cast<std::uint32_t>(part_.sites);
  const auto offsets = static_cast<std::uint32_t>(offset_count(half_));
  Half half{{offsets, stream}, {count, stream}, {count, stream}};
  DeviceBuffer<std::uint32_t> keys(count, stream);
  if (count != 0) {
    DeviceBuffer<std::uint64_t> values(count, stream), other_values(count, stream);
    DeviceBuffer<std::uint32_t> other_keys(count, stream), written(1, stream);
    GSX_CUDA_CHECK(cudaMemsetAsync(written.data(), 0, written.bytes(), stream));
    write_kernel<<<blocks_for(part_.starts.end - part_.starts.begin, block_places), block_threads,
                   0, stream>>>(d_text, pam, part_.starts, split(last), keys.data(), values.data(),
                                count, written.data());
    GSX_CUDA_CHECK(cudaGetLastError());
    cub::DoubleBuffer<std::uint32_t> both_keys(keys.data(), other_keys.data());
    cub::DoubleBuffer<std::uint64_t> both_values(values.data(), other_values.data());
    const int bits = 2 * static_cast<int>(half_) + 1;
    run_cub_async(
        [&](void* workspace, std::size_t& bytes) {
          return cub::DeviceRadixSort::SortPairs(workspace, bytes, both_keys, both_values, count, 0,
                                                 bits, stream);
        },
        stream);
    part_kernel<<<blocks_for(count, block_threads), block_threads, 0, stream>>>(
        both_values.Current(), count, half.rest.data(), half.places.data());
    GSX_CUDA_CHECK(cudaGetLastError());
    if (both_keys.Current() != keys.data()) std::swap(keys, other_keys);
  }
  offsets_kernel<<<blocks_for(offsets, block_threads), block_threads, 0, stream>>>(
      keys.data(), count, half.offsets.data(), offsets);
  GSX_CUDA_CHECK(cudaGetLastError());
  return half;
}

}  // namespace gsx::cuda
