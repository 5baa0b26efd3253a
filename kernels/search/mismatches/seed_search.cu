#include <algorithm>

#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/device.hpp"
#include "kernels/base/job_list.cuh"
#include "kernels/base/tuning.hpp"
#include "kernels/search/mismatches/found_places.cuh"
#include "kernels/search/mismatches/seed_search.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

/// What the kernels of one search share.
template <class Pos>
struct SeedSearch {
  SearchView<Pos> index;
  SeedsView seeds;
  Jobs jobs;
  const Found<Pos>* d_found;
  std::uint32_t most;
  ScanResult result;
  JobList repeated;  ///< jobs with many rows
  std::uint32_t* d_fault;

  /// Compares the place of the k-th row of a job, of those that occur.
  __device__ void compare(std::uint64_t job, const Found<Pos>& found, std::uint64_t k) const {
    Pos row = found.begin + static_cast<Pos>(k);
    if (found.mask != 0) {
      std::uint32_t left = found.mask;
      for (auto nth = static_cast<std::uint32_t>(k); nth > 0; --nth)
        left &= left - 1;
      row = found.begin + static_cast<Pos>(__ffs(static_cast<int>(left)) - 1);
    }
    bool fault = false;
    const std::uint64_t position = index.position_of(row, fault) - found.offset;
    if (fault) *d_fault = 1;
    const auto piece = static_cast<std::uint32_t>(jobs.pattern(job));
    const bool reverse = jobs.is_reverse(job);
    const std::uint64_t before = seeds.before(piece, reverse);
    const std::uint32_t pattern = seeds.pieces[piece].pattern;
    const std::uint64_t length = seeds.entries[pattern].length, end = index.text.length();
    if (fault || position < before || position > end || length > end - (position - before)) return;
    const SeedPlace place{position - before, piece, reverse};
    const std::uint32_t mismatches = seeds.mismatches_at(index.text, place, most);
    if (mismatches > most) return;
    add(counts_of(result, pattern, reverse, most) + mismatches, 1);
    list_hit(result, pattern, place.position, reverse, mismatches);
  }
};

/// One thread per job: compares few places, and lists jobs with more.
template <class Pos>
__global__ void __launch_bounds__(block_threads) few_places_kernel(SeedSearch<Pos> search) {
  const std::uint64_t job = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (job >= search.jobs.count) return;
  const Found<Pos> found = search.d_found[job];
  const bool many = found.count > tuning::few_places;
  search.repeated.append(many, static_cast<std::uint32_t>(job));
  if (many) return;
  for (std::uint32_t k = 0; k < found.count; ++k)
    search.compare(job, found, k);
}

/// One block per job of the list at a time.
template <class Pos>
__global__ void __launch_bounds__(block_threads) many_places_kernel(SeedSearch<Pos> search) {
  const std::uint32_t size = *search.repeated.d_size;
  for (std::uint32_t i = blockIdx.x; i < size; i += gridDim.x) {
    const std::uint32_t job = search.repeated.d_jobs[i];
    const Found<Pos> found = search.d_found[job];
    for (std::uint64_t k = threadIdx.x; k < found.count; k += blockDim.x)
      search.compare(job, found, k);
  }
}

}  // namespace

template <class Pos>
void find_places_async(const SearchView<Pos>& index, const SeedsView& seeds, const Jobs& jobs,
                       const Found<Pos>* d_found, std::uint32_t most, const ScanResult& result,
                       const SeedLists& lists, std::uint32_t* d_fault, DeviceStream stream) {
  if (jobs.count == 0) return;
  const JobList repeated{lists.d_jobs, lists.d_counters, lists.d_counters + 1};
  const SeedSearch<Pos> search{index, seeds, jobs, d_found, most, result, repeated, d_fault};
  const unsigned all = blocks_for(jobs.count, block_threads);
  few_places_kernel<<<all, block_threads, 0, stream>>>(search);
  GSX_CUDA_CHECK(cudaGetLastError());
  const unsigned resident = std::min(all, multiprocessors() * tuning::walk_blocks);
  many_places_kernel<<<resident, block_threads, 0, stream>>>(search);
  GSX_CUDA_CHECK(cudaGetLastError());
}

using Narrow = std::uint32_t;
using Wide = std::uint64_t;
template void find_places_async(const SearchView<Narrow>&, const SeedsView&, const Jobs&,
                                const Found<Narrow>*, std::uint32_t, const ScanResult&,
                                const SeedLists&, std::uint32_t*, DeviceStream);
template void find_places_async(const SearchView<Wide>&, const SeedsView&, const Jobs&,
                                const Found<Wide>*, std::uint32_t, const ScanResult&,
                                const SeedLists&, std::uint32_t*, DeviceStream);

}  // namespace gsx::cuda
