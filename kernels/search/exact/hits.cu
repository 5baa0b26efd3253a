#include <algorithm>
#include <cub/block/block_radix_sort.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_segmented_sort.cuh>
#include <utility>

#include "base/bits.hpp"
#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/device.hpp"
#include "kernels/base/selection.cuh"
#include "kernels/base/tuning.hpp"
#include "kernels/search/exact/hits.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;
using tuning::few_hits;

/// Hits that a pattern has on either strand, of which the forward strand's come first.
template <class Pos>
struct HitsOf {
  Found<Pos> forward{0, 0, 0, 0};
  Found<Pos> reverse{0, 0, 0, 0};

  __device__ HitsOf(const Jobs& jobs, const Found<Pos>* d_found, std::uint64_t pattern) {
    const std::uint64_t f = jobs.job_of(pattern, false), r = jobs.job_of(pattern, true);
    if (f < jobs.count) forward = d_found[f];
    if (r < jobs.count) reverse = d_found[r];
  }
  __device__ std::uint64_t count() const { return std::uint64_t{forward.count} + reverse.count; }

  /// Hit k as a number that sorts as hits do.
  __device__ std::uint64_t hit(const SearchView<Pos>& index, std::uint64_t k, bool& fault) const {
    const bool on_reverse = k >= forward.count;
    const Found<Pos>& found = on_reverse ? reverse : forward;
    auto nth = static_cast<std::uint32_t>(on_reverse ? k - forward.count : k);
    Pos row = found.begin;
    if (found.mask == 0) {
      row += static_cast<Pos>(on_reverse ? k - forward.count : k);
    } else {
      std::uint32_t left = found.mask;
      for (; nth > 0; --nth)
        left &= left - 1;
      row += static_cast<Pos>(__ffs(static_cast<int>(left)) - 1);
    }
    const std::uint64_t position = index.position_of(row, fault) - found.offset;
    return position << 1 | (on_reverse ? 1 : 0);
  }
};

template <class Pos>
__global__ void reported_kernel(Jobs jobs, const Found<Pos>* d_found, std::uint64_t max_hits,
                                StrandCounts* d_counts, std::uint64_t* d_reported) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= jobs.patterns) return;
  const HitsOf<Pos> hits(jobs, d_found, i);
  d_counts[i].forward = hits.forward.count;
  d_counts[i].reverse = hits.reverse.count;
  if (d_reported != nullptr) d_reported[i] = hits.count() < max_hits ? hits.count() : max_hits;
}

/// One thread per pattern: gathers and sorts few hits; lists patterns with more. Leaves out the
/// patterns whose hits end behind `room`.
template <class Pos>
__global__ void __launch_bounds__(block_threads)
    few_hits_kernel(SearchView<Pos> index, Jobs jobs, const Found<Pos>* d_found,
                    const std::uint64_t* d_ends, std::uint64_t first, std::uint64_t last,
                    std::uint64_t base, std::uint64_t room, std::uint64_t* d_hits,
                    std::uint64_t* d_many, unsigned long long* d_many_count,
                    std::uint32_t* d_fault) {
  const std::uint64_t i = first + std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= last) return;
  const std::uint64_t begin = i == 0 ? 0 : d_ends[i - 1];
  const std::uint64_t count = d_ends[i] - begin;
  if (count == 0 || d_ends[i] - base > room) return;
  if (count > few_hits) {
    d_many[atomicAdd(d_many_count, 1ull)] = i;
    return;
  }
  const HitsOf<Pos> hits(jobs, d_found, i);
  std::uint64_t* d_out = d_hits + (begin - base);
  bool fault = false;
  for (std::uint64_t k = 0; k < count; ++k) {
    const std::uint64_t hit = hits.hit(index, k, fault);
    std::uint64_t at = k;
    for (; at > 0 && d_out[at - 1] > hit; --at)
      d_out[at] = d_out[at - 1];
    d_out[at] = hit;
  }
  if (fault) *d_fault = 1;
}

/// One block per pattern of the list.
template <class Pos>
__global__ void __launch_bounds__(block_threads)
    many_hits_kernel(SearchView<Pos> index, Jobs jobs, const Found<Pos>* d_found,
                     const std::uint64_t* d_ends, std::uint64_t base, const std::uint64_t* d_many,
                     std::uint64_t* d_hits, std::uint64_t* d_begins, std::uint64_t* d_stops,
                     std::uint32_t* d_fault) {
  const std::uint64_t i = d_many[blockIdx.x];
  const std::uint64_t begin = i == 0 ? 0 : d_ends[i - 1];
  const std::uint64_t count = d_ends[i] - begin;
  if (threadIdx.x == 0) {
    d_begins[blockIdx.x] = begin - base;
    d_stops[blockIdx.x] = begin - base + count;
  }
  const HitsOf<Pos> hits(jobs, d_found, i);
  bool fault = false;
  for (std::uint64_t k = threadIdx.x; k < count; k += blockDim.x)
    d_hits[begin - base + k] = hits.hit(index, k, fault);
  if (fault) *d_fault = 1;
}

using BlockSort = cub::BlockRadixSort<std::uint64_t, block_threads, tuning::sorted_hits>;

/// Gathers and sorts the hits of the patterns of the list, a block for each at a time.
template <class Pos>
__global__ void __launch_bounds__(block_threads)
    block_hits_kernel(SearchView<Pos> index, Jobs jobs, const Found<Pos>* d_found,
                      const std::uint64_t* d_ends, std::uint64_t* d_hits, GatherLists lists,
                      int key_bits, std::uint32_t* d_fault) {
  __shared__ typename BlockSort::TempStorage storage;
  constexpr std::uint32_t most = block_threads * tuning::sorted_hits;
  bool fault = false;
  for (std::uint64_t m = blockIdx.x; m < *lists.d_many_count; m += gridDim.x) {
    const std::uint64_t i = lists.d_many[m];
    const std::uint64_t begin = i == 0 ? 0 : d_ends[i - 1];
    const std::uint64_t count = d_ends[i] - begin;
    if (count > most) {  // so for the whole block
      *lists.d_left_out = 1;
      continue;
    }
    const HitsOf<Pos> hits(jobs, d_found, i);
    std::uint64_t keys[tuning::sorted_hits];
#pragma unroll
    for (std::uint32_t k = 0; k < tuning::sorted_hits; ++k) {
      const std::uint32_t at = k * block_threads + threadIdx.x;
      keys[k] = at < count ? hits.hit(index, at, fault) : ~std::uint64_t{0};
    }
    BlockSort(storage).SortBlockedToStriped(keys, 0, key_bits);
#pragma unroll
    for (std::uint32_t k = 0; k < tuning::sorted_hits; ++k) {
      const std::uint32_t at = k * block_threads + threadIdx.x;
      if (at < count) d_hits[begin + at] = keys[k];
    }
    __syncthreads();  // the storage is used again
  }
  if (fault) *d_fault = 1;
}

template <class Pos>
__global__ void some_hits_kernel(SearchView<Pos> index, Jobs jobs, const Found<Pos>* d_found,
                                 std::uint64_t pattern, std::uint64_t begin, std::uint64_t count,
                                 std::uint64_t* d_hits, std::uint32_t* d_fault) {
  const std::uint64_t k = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k >= count) return;
  bool fault = false;
  d_hits[k] = HitsOf<Pos>(jobs, d_found, pattern).hit(index, begin + k, fault);
  if (fault) *d_fault = 1;
}

/// Whether the hit with a given number, of those that a range could have, is one.
struct StandsThere {
  TextView text;
  PatternsView patterns;
  std::uint64_t pattern;
  bool strands[2];     ///< forward, reverse
  std::uint64_t base;  ///< the number, as Hit has it, of the range's first

  __device__ bool operator()(std::uint64_t i) const {
    const bool reverse = ((base + i) & 1) != 0;
    return strands[reverse] && matches_at(text, (base + i) >> 1, patterns.strand(pattern, reverse));
  }
};
struct WriteNumbers {
  std::uint64_t base;
  std::uint64_t* d_hits;
  __device__ void keep(std::uint64_t i, std::uint64_t k) const { d_hits[k] = base + i; }
  __device__ void drop(std::uint64_t) const {}
};

struct StartsInRange {
  const std::uint64_t* d_hits;
  TextRange range;
  __device__ bool operator()(std::uint64_t i) const {
    const std::uint64_t position = d_hits[i] >> 1;
    return position >= range.begin && position < range.end;
  }
};
struct CopyHits {
  const std::uint64_t* d_from;
  std::uint64_t* d_to;
  __device__ void keep(std::uint64_t i, std::uint64_t k) const { d_to[k] = d_from[i]; }
  __device__ void drop(std::uint64_t) const {}
};

}  // namespace

template <class Pos>
void count_reported_async(const Jobs& jobs, const Found<Pos>* d_found, std::uint64_t max_hits,
                          StrandCounts* d_counts, std::uint64_t* d_reported, DeviceStream stream) {
  if (jobs.patterns == 0) return;
  reported_kernel<<<blocks_for(jobs.patterns, block_threads), block_threads, 0, stream>>>(
      jobs, d_found, max_hits, d_counts, d_reported);
  GSX_CUDA_CHECK(cudaGetLastError());
}

void sum_up_async(DeviceBuffer<std::uint64_t>& values, DeviceStream stream) {
  run_cub_async(
      [&](void* workspace, std::size_t& bytes) {
        return cub::DeviceScan::InclusiveSum(workspace, bytes, values.data(), values.data(),
                                             values.size(), stream);
      },
      stream);
}

std::size_t sum_up_bytes(std::uint64_t count) {
  std::size_t bytes = 0;
  std::uint64_t* const none = nullptr;
  GSX_CUDA_CHECK(cub::DeviceScan::InclusiveSum(nullptr, bytes, none, none, count));
  return bytes;
}

void sum_up_async(std::uint64_t* d_values, std::uint64_t count, void* d_workspace,
                  std::size_t workspace_bytes, cudaStream_t stream) {
  GSX_CUDA_CHECK(cub::DeviceScan::InclusiveSum(d_workspace, workspace_bytes, d_values, d_values,
                                               count, stream));
}

template <class Pos>
void gather_within_async(const SearchView<Pos>& index, const Jobs& jobs, const Found<Pos>* d_found,
                         const std::uint64_t* d_ends, std::uint64_t room, std::uint64_t* d_hits,
                         const GatherLists& lists, std::uint32_t* d_fault, DeviceStream stream) {
  if (jobs.patterns == 0 || room == 0) return;
  few_hits_kernel<<<blocks_for(jobs.patterns, block_threads), block_threads, 0, stream>>>(
      index, jobs, d_found, d_ends, 0, jobs.patterns, 0, room, d_hits, lists.d_many,
      lists.d_many_count, d_fault);
  GSX_CUDA_CHECK(cudaGetLastError());
  // One bit more than hits have, so that what fills a block up comes last.
  const int key_bits = static_cast<int>(std::min(64u, bits_for(index.text.length()) + 2));
  const auto blocks = static_cast<unsigned>(std::min<std::uint64_t>(
      GatherLists::patterns_within(room), std::uint64_t{4} * multiprocessors()));
  block_hits_kernel<<<blocks, block_threads, 0, stream>>>(index, jobs, d_found, d_ends, d_hits,
                                                          lists, key_bits, d_fault);
  GSX_CUDA_CHECK(cudaGetLastError());
}

template <class Pos>
void gather_hits(const SearchView<Pos>& index, const Jobs& jobs, const Found<Pos>* d_found,
                 const std::uint64_t* d_ends, std::uint64_t first, std::uint64_t last,
                 DeviceBuffer<std::uint64_t>& hits, std::uint32_t* d_fault, DeviceStream stream) {
  if (first == last || hits.size() == 0) return;
  std::uint64_t base = 0;
  if (first > 0) {
    GSX_CUDA_CHECK(
        cudaMemcpyAsync(&base, d_ends + first - 1, sizeof base, cudaMemcpyDeviceToHost, stream));
    GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
  }
  DeviceBuffer<std::uint64_t> many(hits.size() / few_hits + 1, stream);
  DeviceBuffer<unsigned long long> many_count(1, stream);
  GSX_CUDA_CHECK(cudaMemsetAsync(many_count.data(), 0, many_count.bytes(), stream));
  few_hits_kernel<<<blocks_for(last - first, block_threads), block_threads, 0, stream>>>(
      index, jobs, d_found, d_ends, first, last, base, hits.size(), hits.data(), many.data(),
      many_count.data(), d_fault);
  GSX_CUDA_CHECK(cudaGetLastError());
  const std::uint64_t patterns = first_value(many_count, stream);
  if (patterns == 0) return;

  DeviceBuffer<std::uint64_t> begins(patterns, stream), stops(patterns, stream);
  many_hits_kernel<<<static_cast<unsigned>(patterns), block_threads, 0, stream>>>(
      index, jobs, d_found, d_ends, base, many.data(), hits.data(), begins.data(), stops.data(),
      d_fault);
  GSX_CUDA_CHECK(cudaGetLastError());
  DeviceBuffer<std::uint64_t> sorted(hits.size(), stream);
  GSX_CUDA_CHECK(
      cudaMemcpyAsync(sorted.data(), hits.data(), hits.bytes(), cudaMemcpyDeviceToDevice, stream));
  run_cub_async(
      [&](void* workspace, std::size_t& bytes) {
        return cub::DeviceSegmentedSort::SortKeys(
            workspace, bytes, hits.data(), sorted.data(), static_cast<std::int64_t>(hits.size()),
            static_cast<std::int64_t>(patterns), begins.data(), stops.data(), stream);
      },
      stream);
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
  std::swap(hits, sorted);
}

template <class Pos>
void gather_some_async(const SearchView<Pos>& index, const Jobs& jobs, const Found<Pos>* d_found,
                       std::uint64_t pattern, std::uint64_t begin, std::uint64_t count,
                       std::uint64_t* d_hits, std::uint32_t* d_fault, DeviceStream stream) {
  some_hits_kernel<<<blocks_for(count, block_threads), block_threads, 0, stream>>>(
      index, jobs, d_found, pattern, begin, count, d_hits, d_fault);
  GSX_CUDA_CHECK(cudaGetLastError());
}

template <class Pos>
std::uint64_t scan_hits(const SearchView<Pos>& index, const PatternsView& patterns,
                        std::uint64_t pattern, bool forward, bool reverse, TextRange range,
                        DeviceBuffer<std::uint64_t>& hits, DeviceStream stream) {
  const StandsThere stands{index.text, patterns, pattern, {forward, reverse}, 2 * range.begin};
  const Selection selection(stands, 2 * (range.end - range.begin), stream);
  selection.move_async(WriteNumbers{2 * range.begin, hits.data()});
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
  return selection.size();
}

std::uint64_t keep_hits(const std::uint64_t* d_hits, std::uint64_t count, TextRange range,
                        std::uint64_t* d_kept, std::uint64_t before, DeviceStream stream) {
  const Selection selection(StartsInRange{d_hits, range}, count, stream);
  selection.move_async(CopyHits{d_hits, d_kept + before});
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
  return before + selection.size();
}

void sort_hits_async(DeviceBuffer<std::uint64_t>& hits, std::uint64_t count, DeviceStream stream) {
  DeviceBuffer<std::uint64_t> sorted(hits.size(), stream);
  run_cub_async(
      [&](void* workspace, std::size_t& bytes) {
        return cub::DeviceRadixSort::SortKeys(workspace, bytes, hits.data(), sorted.data(), count,
                                              0, 64, stream);
      },
      stream);
  std::swap(hits, sorted);
}

using Narrow = std::uint32_t;
using Wide = std::uint64_t;
template void count_reported_async(const Jobs&, const Found<Narrow>*, std::uint64_t, StrandCounts*,
                                   std::uint64_t*, DeviceStream);
template void count_reported_async(const Jobs&, const Found<Wide>*, std::uint64_t, StrandCounts*,
                                   std::uint64_t*, DeviceStream);
template void gather_hits(const SearchView<Narrow>&, const Jobs&, const Found<Narrow>*,
                          const std::uint64_t*, std::uint64_t, std::uint64_t,
                          DeviceBuffer<std::uint64_t>&, std::uint32_t*, DeviceStream);
template void gather_hits(const SearchView<Wide>&, const Jobs&, const Found<Wide>*,
                          const std::uint64_t*, std::uint64_t, std::uint64_t,
                          DeviceBuffer<std::uint64_t>&, std::uint32_t*, DeviceStream);
template void gather_within_async(const SearchView<Narrow>&, const Jobs&, const Found<Narrow>*,
                                  const std::uint64_t*, std::uint64_t, std::uint64_t*,
                                  const GatherLists&, std::uint32_t*, DeviceStream);
template void gather_within_async(const SearchView<Wide>&, const Jobs&, const Found<Wide>*,
                                  const std::uint64_t*, std::uint64_t, std::uint64_t*,
                                  const GatherLists&, std::uint32_t*, DeviceStream);
template void gather_some_async(const SearchView<Narrow>&, const Jobs&, const Found<Narrow>*,
                                std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t*,
                                std::uint32_t*, DeviceStream);
template void gather_some_async(const SearchView<Wide>&, const Jobs&, const Found<Wide>*,
                                std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t*,
                                std::uint32_t*, DeviceStream);

template std::uint64_t scan_hits(const SearchView<Narrow>&, const PatternsView&, std::uint64_t,
                                 bool, bool, TextRange, DeviceBuffer<std::uint64_t>&, DeviceStream);
template std::uint64_t scan_hits(const SearchView<Wide>&, const PatternsView&, std::uint64_t, bool,
                                 bool, TextRange, DeviceBuffer<std::uint64_t>&, DeviceStream);

}  // namespace gsx::cuda
