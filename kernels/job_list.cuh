// Lists of jobs that kernels hand on to the next.
#pragma once

#include <cstdint>

namespace gsx::cuda {

/// A list in device memory to which threads append in any order.
struct JobList {
  std::uint32_t* d_jobs = nullptr;
  std::uint32_t* d_size = nullptr;

  /// Appends `job` where `wanted`, with one atomic addition for all the threads of a warp that are
  /// here together.
  __device__ void append(bool wanted, std::uint32_t job) const {
    const std::uint32_t here = __activemask();
    const std::uint32_t takers = __ballot_sync(here, wanted);
    if (!wanted) return;
    const std::uint32_t lower = takers & ((1u << (threadIdx.x % 32)) - 1);
    const int leader = __ffs(static_cast<int>(takers)) - 1;
    std::uint32_t first = 0;
    if (lower == 0) first = atomicAdd(d_size, static_cast<std::uint32_t>(__popc(takers)));
    first = __shfl_sync(takers, first, leader);
    d_jobs[first + static_cast<std::uint32_t>(__popc(lower))] = job;
  }
  /// Pre: the kernels that append have ended.
  __device__ std::uint32_t size() const { return *d_size; }
  __device__ std::uint32_t operator[](std::uint32_t i) const { return d_jobs[i]; }
};

}  // namespace gsx::cuda
