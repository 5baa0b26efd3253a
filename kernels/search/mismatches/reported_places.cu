#include <algorithm>

#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/tuning.hpp"
#include "kernels/search/exact/hits.hpp"
#include "kernels/search/mismatches/reported_places.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

/// The counts of a pattern, and which of its places are reported: all with fewer than `last`
/// mismatches, and of those with so many the first `of_last`.
struct Chosen {
  StrandCounts counts;
  std::uint64_t reported = 0;
  std::uint32_t last = 0;
  std::uint64_t of_last = 0;

  __device__ Chosen(const CountedPlaces& places, std::uint64_t pattern, std::uint64_t max_hits) {
    const std::uint64_t classes = places.mismatches + 1;
    const std::uint64_t* forward = places.found.counts + pattern * 2 * classes;
    for (std::uint32_t m = 0; m < classes; ++m) {
      const std::uint64_t some = forward[m] + forward[classes + m];
      counts.forward += forward[m];
      counts.reverse += forward[classes + m];
      if (reported == max_hits || some == 0) continue;
      last = m;
      of_last = some < max_hits - reported ? some : max_hits - reported;
      reported += of_last;
    }
  }
};

/// One thread per pattern.
__global__ void __launch_bounds__(block_threads)
    chosen_kernel(CountedPlaces places, std::uint64_t max_hits, StrandCounts* d_counts,
                  std::uint64_t* d_places, std::uint64_t* d_reported) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= places.patterns) return;
  const Chosen chosen(places, i, max_hits);
  d_counts[i] = chosen.counts;
  d_places[i] = chosen.counts.total();
  d_reported[i] = chosen.reported;
}

/// One warp per pattern: goes through its places in order, and moves those that are reported.
__global__ void __launch_bounds__(block_threads)
    move_kernel(CountedPlaces places, std::uint64_t max_hits, const std::uint64_t* d_records,
                const std::uint64_t* d_place_ends, const std::uint64_t* d_ends, Hit* d_hits) {
  const std::uint64_t pattern = (std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32;
  if (pattern >= places.patterns || *places.found.hit_count > places.found.room) return;
  const std::uint32_t lane = threadIdx.x % 32, lower = (1u << lane) - 1;
  const std::uint64_t begin = pattern == 0 ? 0 : d_place_ends[pattern - 1];
  const std::uint64_t count = d_place_ends[pattern] - begin, end = d_ends[pattern];
  std::uint64_t to = pattern == 0 ? 0 : d_ends[pattern - 1];
  if (to == end) return;
  const Chosen chosen(places, pattern, max_hits);
  std::uint64_t last_left = chosen.of_last;
  for (std::uint64_t first = 0; first < count && to < end; first += 32) {
    const bool is_one = first + lane < count;
    const HitRecord record(is_one ? d_records[begin + first + lane] : 0);
    const std::uint32_t mismatches = record.mismatches();
    const bool is_last = is_one && mismatches == chosen.last;
    const std::uint32_t lasts = __ballot_sync(~0u, is_last);
    const auto before = static_cast<std::uint32_t>(__popc(lasts & lower));
    const bool is_reported =
        is_one && (mismatches < chosen.last || (is_last && before < last_left));
    const std::uint32_t taken = __ballot_sync(~0u, is_reported);
    if (is_reported) d_hits[to + __popc(taken & lower)] = record.hit();
    to += __popc(taken);
    const auto some = static_cast<std::uint64_t>(__popc(lasts));
    last_left -= some < last_left ? some : last_left;
  }
}

}  // namespace

std::size_t report_workspace_bytes(std::uint64_t patterns, std::uint64_t room) {
  return std::max(sum_up_bytes(patterns), sort_records_bytes(room, patterns));
}

void report_places_async(const CountedPlaces& places, std::uint64_t max_hits,
                         const ReportedPlaces& reported, const ReportMemory& memory,
                         DeviceStream stream) {
  const std::uint64_t patterns = places.patterns;
  chosen_kernel<<<blocks_for(patterns, block_threads), block_threads, 0, stream>>>(
      places, max_hits, reported.d_counts, memory.d_place_ends, reported.d_ends);
  GSX_CUDA_CHECK(cudaGetLastError());
  for (std::uint64_t* const d_values : {memory.d_place_ends, reported.d_ends})
    sum_up_async(d_values, patterns, memory.d_workspace, memory.workspace_bytes, stream);
  const std::uint64_t* const d_records =
      sort_records_async(places.found.hits, memory.d_others, places.found.room, patterns,
                         memory.d_workspace, memory.workspace_bytes, stream);
  move_kernel<<<blocks_for(32 * patterns, block_threads), block_threads, 0, stream>>>(
      places, max_hits, d_records, memory.d_place_ends, reported.d_ends, reported.d_hits);
  GSX_CUDA_CHECK(cudaGetLastError());
}

}  // namespace gsx::cuda
