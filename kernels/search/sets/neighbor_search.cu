#include "kernels/search/sets/neighbor_search.hpp"

#include <cub/device/device_scan.cuh>

#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/cuda_error.hpp"
#include "kernels/base/tuning.hpp"
#include "search/sets/neighbor_walk.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

/// Passes on those neighbours of key i that it lists.
template <unsigned Words, class Take>
struct TakeListed {
  const NeighborQuestion<Words>& question;
  std::uint32_t i;
  Take& take;
  __device__ void operator()(std::uint32_t j) {
    if (question.within && question.kind != NeighborKind::later) {
      const std::uint64_t* counts = question.d_asked.counts;
      if (j == i || !lists(question.kind, counts[i], counts[j])) return;
    }
    take(j);
  }
};

struct CountTaken {
  std::uint64_t count = 0;
  __device__ void operator()(std::uint32_t) { ++count; }
};

struct StoreTaken {
  std::uint32_t* d_next;
  __device__ void operator()(std::uint32_t j) { *d_next++ = j; }
};

template <unsigned Words, unsigned Distance, class Take>
__device__ void walk(const NeighborTableView<Words>& table, const NeighborQuestion<Words>& question,
                     std::uint64_t i, Take& take) {
  const bool later = question.within && question.kind == NeighborKind::later;
  const auto number = static_cast<std::uint32_t>(i);
  TakeListed<Words, Take> listed{question, number, take};
  NeighborWalk<Words, Distance, TakeListed<Words, Take>>(table, question.d_asked.keys[i],
                                                         later ? number + 1 : 0, listed)
      .run(later);
}

template <unsigned Words, unsigned Distance>
__global__ void __launch_bounds__(block_threads)
    count_kernel(NeighborTableView<Words> table, NeighborQuestion<Words> question,
                 std::uint64_t* d_offsets) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i > question.d_asked.size) return;
  CountTaken taken;
  if (i < question.d_asked.size) walk<Words, Distance>(table, question, i, taken);
  d_offsets[i] = taken.count;
}

template <unsigned Words, unsigned Distance>
__global__ void __launch_bounds__(block_threads)
    list_kernel(NeighborTableView<Words> table, NeighborQuestion<Words> question,
                std::uint64_t begin, std::uint64_t end, const std::uint64_t* d_offsets,
                std::uint32_t* d_others) {
  const std::uint64_t i = begin + std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= end || d_offsets[i] == d_offsets[i + 1]) return;
  StoreTaken taken{d_others + (d_offsets[i] - d_offsets[begin])};
  walk<Words, Distance>(table, question, i, taken);
}

}  // namespace

template <unsigned Words>
void count_neighbors_async(const NeighborTableView<Words>& table,
                           const NeighborQuestion<Words>& question, std::uint64_t* d_offsets,
                           DeviceStream stream) {
  const std::uint64_t entries = question.d_asked.size + 1;
  const auto kernel = question.distance == 1 ? count_kernel<Words, 1> : count_kernel<Words, 2>;
  kernel<<<blocks_for(entries, block_threads), block_threads, 0, stream>>>(table, question,
                                                                           d_offsets);
  GSX_CUDA_CHECK(cudaGetLastError());
  run_cub_async(
      [&](void* workspace, std::size_t& bytes) {
        return cub::DeviceScan::ExclusiveSum(workspace, bytes, d_offsets, d_offsets, entries,
                                             stream);
      },
      stream);
}

template <unsigned Words>
void list_neighbors_async(const NeighborTableView<Words>& table,
                          const NeighborQuestion<Words>& question, std::uint64_t begin,
                          std::uint64_t end, const std::uint64_t* d_offsets,
                          std::uint32_t* d_others, cudaStream_t stream) {
  if (begin == end) return;
  const auto kernel = question.distance == 1 ? list_kernel<Words, 1> : list_kernel<Words, 2>;
  kernel<<<blocks_for(end - begin, block_threads), block_threads, 0, stream>>>(
      table, question, begin, end, d_offsets, d_others);
  GSX_CUDA_CHECK(cudaGetLastError());
}

#define GSX_NEIGHBORS(Words)                                                                       \
  template void count_neighbors_async(const NeighborTableView<Words>&,                             \
                                      const NeighborQuestion<Words>&, std::uint64_t*,              \
                                      DeviceStream);                                               \
  template void list_neighbors_async(const NeighborTableView<Words>&,                              \
                                     const NeighborQuestion<Words>&, std::uint64_t, std::uint64_t, \
                                     const std::uint64_t*, std::uint32_t*, cudaStream_t);
GSX_NEIGHBORS(1)
GSX_NEIGHBORS(2)
GSX_NEIGHBORS(3)
GSX_NEIGHBORS(4)
#undef GSX_NEIGHBORS

}  // namespace gsx::cuda
