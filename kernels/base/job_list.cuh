// Lists of jobs that kernels hand on to the next.
#pragma once

#include <cstdint>

namespace gsx::cuda {

/// A number for each of these threads of a warp, counted on from *d_counter, with one atomic
/// addition for all of them.
__device__ inline std::uint32_t next_number(std::uint32_t* d_counter, std::uint32_t takers) {
  const std::uint32_t lower = takers & ((1u << (threadIdx.x % 32)) - 1);
  std::uint32_t first = 0;
  if (lower == 0) first = atomicAdd(d_counter, static_cast<std::uint32_t>(__popc(takers)));
  first = __shfl_sync(takers, first, __ffs(static_cast<int>(takers)) - 1);
  return first + static_cast<std::uint32_t>(__popc(lower));
}

/// A list in device memory to which threads append in any order.
struct JobList {
  std::uint32_t* d_jobs = nullptr;
  std::uint32_t* d_size = nullptr;
  std::uint32_t* d_taken = nullptr;

  /// Appends `job` where `wanted`, with one atomic addition for all the threads of a warp that are
  /// here together.
  __device__ void append(bool wanted, std::uint32_t job) const {
    const std::uint32_t here = __activemask();
    const std::uint32_t takers = __ballot_sync(here, wanted);
    if (!wanted) return;
    d_jobs[next_number(d_size, takers)] = job;
  }
  /// Takes the next job, each once; false when there is none. For threads that become idle at
  /// different times. Pre: the kernels that append have ended.
  __device__ bool take(std::uint32_t& job) const {
    const std::uint32_t i = next_number(d_taken, __activemask());
    if (i >= *d_size) return false;
    job = d_jobs[i];
    return true;
  }
};

}  // namespace gsx::cuda
