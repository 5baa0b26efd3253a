#include <algorithm>
#include <cub/device/device_scan.cuh>

#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/device.hpp"
#include "kernels/base/job_list.cuh"
#include "kernels/base/tuning.hpp"
#include "kernels/base/turns.cuh"
#include "kernels/search/matches/match_search.hpp"
#include "search/matches/match_index_view.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

/// Threads of the walks, whole warps: their state takes many registers.
constexpr unsigned walk_threads = 128;

/// A thread takes the next job when it has ended one. Walks go their own ways, and most of them are
/// short: without turns, 3 threads of a warp work at a time.
template <class Offset, class Pos>
__global__ void __launch_bounds__(walk_threads, tuning::match_walk_blocks)
    walk_kernel(MatchIndexView<Pos> index, PiecesView<Offset> pieces,
                StrandUnion<Offset, Pos> strands, FoundMatch<Offset, Pos>* d_found,
                std::uint32_t* d_counts, std::uint32_t room, std::uint32_t* d_count,
                std::uint32_t* d_taken) {
  using Walk = MatchWalk<Pos, MatchIndexView<Pos>, PackedStrand<Offset>>;
  Walk walk;
  const std::uint32_t jobs = strands.jobs();
  std::uint32_t job = 0, number = 0;
  for (bool walking = false, jobless = false;;) {
    if (!walking && !jobless) {
      job = next_number(d_taken, __activemask());
      jobless = job >= jobs;
      if (!jobless) {
        number = 0;
        walk.start(
            index,
            pieces.pieces[strands.piece_of(job)].on_strand(pieces.symbols, strands.is_reverse(job)),
            pieces.min_length);
        walking = true;
      }
    }
    const std::uint32_t turn = most_common_kind(walking ? walk.kind() : idle_kind);
    if (turn == idle_kind) return;
    if (!walking || walk.kind() != turn) continue;
    const auto event = walk.step(index);
    if (event == Walk::Event::none) continue;
    if (event == Walk::Event::match) {
      const std::uint32_t place = next_number(d_count, __activemask());
      const StrandMatch& match = walk.match();
      if (place < room) {
        d_found[place] = {static_cast<Offset>(match.begin), static_cast<Offset>(match.length),
                          static_cast<Pos>(match.count), job, number};
      }
      ++number;
    } else {
      d_counts[job] = number;
      walking = false;
    }
  }
}

template <class Offset, class Pos>
__global__ void __launch_bounds__(block_threads)
    list_kernel(StrandUnion<Offset, Pos> strands, const FoundMatch<Offset, Pos>* d_found,
                std::uint32_t room, const std::uint32_t* d_count) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (*d_count <= room && i < *d_count) strands.list(d_found[i]);
}

/// Marks those that are kept, up to d_kept[room].
template <class Offset, class Pos>
__global__ void __launch_bounds__(block_threads)
    keep_kernel(StrandUnion<Offset, Pos> strands, std::uint32_t room, const std::uint32_t* d_count,
                std::uint32_t* d_kept) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > room) return;
  d_kept[i] = *d_count <= room && i < *d_count && strands.keeps(i) ? 1 : 0;
}

template <class Offset, class Pos>
__global__ void __launch_bounds__(block_threads)
    report_kernel(StrandUnion<Offset, Pos> strands, std::uint32_t room,
                  const std::uint32_t* d_count, const std::uint32_t* d_piece_ends,
                  std::uint64_t queries, MaximalMatch* d_matches, std::uint64_t* d_ends) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (*d_count > room) return;
  if (i < *d_count) strands.report(i, d_matches);
  if (i < queries) d_ends[i] = strands.end_of(d_piece_ends[i]);
}

void sum_up_async(std::uint32_t* d_values, std::uint64_t count, std::uint8_t* workspace,
                  std::size_t bytes, cudaStream_t stream) {
  GSX_CUDA_CHECK(
      cub::DeviceScan::ExclusiveSum(workspace, bytes, d_values, d_values, count, stream));
}

std::size_t workspace_bytes(std::uint64_t count) {
  std::size_t bytes = 0;
  std::uint32_t* const values = nullptr;
  GSX_CUDA_CHECK(cub::DeviceScan::ExclusiveSum(nullptr, bytes, values, values, count));
  return bytes;
}

template <class Offset, class Pos>
StrandUnion<Offset, Pos> strands_of(const PiecesView<Offset>& pieces,
                                    const MatchArrays<Offset, Pos>& arrays) {
  return {pieces.pieces, pieces.count,  pieces.forward, pieces.reverse,
          arrays.begins, arrays.listed, arrays.kept};
}

}  // namespace

std::uint64_t match_workspace_bytes(std::uint64_t jobs, std::uint64_t room) {
  return std::max(workspace_bytes(jobs + 1), workspace_bytes(room + 1));
}

template <class Offset, class Pos>
void find_matches_async(const SearchView<Pos>& index, const PiecesView<Offset>& pieces,
                        const MatchArrays<Offset, Pos>& arrays, std::uint32_t* d_fault,
                        cudaStream_t stream) {
  const std::uint32_t jobs = pieces.jobs();
  if (jobs == 0) return;
  const MatchIndexView<Pos> view{index.fm, index.text, index.sa, d_fault};
  const unsigned most = multiprocessors() * tuning::match_walk_blocks;
  // Few jobs have a thread each: the device is idle, and the kernel ends with the last of them.
  const unsigned least = std::min(multiprocessors(), blocks_for(jobs, walk_threads));
  const unsigned shared =
      blocks_for(divide_up(jobs, tuning::matched_jobs_per_thread), walk_threads);
  const unsigned blocks = std::min(most, std::max(least, shared));
  walk_kernel<<<blocks, walk_threads, 0, stream>>>(view, pieces, strands_of(pieces, arrays),
                                                   arrays.found, arrays.begins, arrays.room,
                                                   arrays.count, arrays.taken);
  GSX_CUDA_CHECK(cudaGetLastError());
}

template <class Offset, class Pos>
void unite_strands_async(const PiecesView<Offset>& pieces, const MatchArrays<Offset, Pos>& arrays,
                         const std::uint32_t* d_piece_ends, std::uint64_t queries,
                         MaximalMatch* d_matches, std::uint64_t* d_ends, cudaStream_t stream) {
  const auto strands = strands_of(pieces, arrays);
  sum_up_async(arrays.begins, pieces.jobs() + std::uint64_t{1}, arrays.workspace,
               arrays.workspace_bytes, stream);
  if (arrays.room > 0) {
    list_kernel<<<blocks_for(arrays.room, block_threads), block_threads, 0, stream>>>(
        strands, arrays.found, arrays.room, arrays.count);
    GSX_CUDA_CHECK(cudaGetLastError());
  }
  const std::uint64_t marks = arrays.room + std::uint64_t{1};
  keep_kernel<<<blocks_for(marks, block_threads), block_threads, 0, stream>>>(
      strands, arrays.room, arrays.count, arrays.kept);
  GSX_CUDA_CHECK(cudaGetLastError());
  sum_up_async(arrays.kept, marks, arrays.workspace, arrays.workspace_bytes, stream);
  report_kernel<<<blocks_for(std::max(marks, queries), block_threads), block_threads, 0, stream>>>(
      strands, arrays.room, arrays.count, d_piece_ends, queries, d_matches, d_ends);
  GSX_CUDA_CHECK(cudaGetLastError());
}

#define GSX_INSTANTIATE(Offset, Pos)                                                               \
  template void find_matches_async(const SearchView<Pos>&, const PiecesView<Offset>&,              \
                                   const MatchArrays<Offset, Pos>&, std::uint32_t*, cudaStream_t); \
  template void unite_strands_async(const PiecesView<Offset>&, const MatchArrays<Offset, Pos>&,    \
                                    const std::uint32_t*, std::uint64_t, MaximalMatch*,            \
                                    std::uint64_t*, cudaStream_t)
GSX_INSTANTIATE(std::uint32_t, std::uint32_t);
GSX_INSTANTIATE(std::uint64_t, std::uint32_t);
GSX_INSTANTIATE(std::uint64_t, std::uint64_t);
#undef GSX_INSTANTIATE

}  // namespace gsx::cuda
