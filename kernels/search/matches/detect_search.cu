#include <algorithm>

#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/device.hpp"
#include "kernels/base/job_list.cuh"
#include "kernels/base/tuning.hpp"
#include "kernels/search/matches/detect_search.hpp"
#include "search/matches/detect_walk.hpp"
#include "search/matches/match_index_view.hpp"
#include "search/matches/packed_strand.hpp"

namespace gsx::cuda {
namespace {

constexpr unsigned detect_threads = 128;

/// Other threads may write it meanwhile; who reads an old value does some work for nothing.
__device__ bool is_set(const std::uint8_t* flag) {
  return *static_cast<const volatile std::uint8_t*>(flag) != 0;
}

template <class Offset, class Pos>
__global__ void __launch_bounds__(detect_threads, tuning::detect_walk_blocks)
    detect_kernel(MatchIndexView<Pos> index, DetectView<Offset> detect) {
  using Walk = DetectWalk<Pos, MatchIndexView<Pos>, PackedStrand<Offset>>;
  Walk walk;
  const std::uint32_t jobs = detect.jobs.size();
  std::uint8_t* matched = nullptr;
  for (bool walking = false;;) {
    if (!walking) {
      const std::uint32_t job = next_number(detect.taken, __activemask());
      if (job >= jobs) return;
      const DetectPiece<Offset> piece = detect.jobs.piece(job);
      matched = detect.matched + piece.query;
      if (is_set(matched)) continue;
      walk.start(index, {detect.symbols, piece.begin, piece.length, detect.jobs.is_reverse(job)},
                 detect.min_length);
      walking = true;
    }
    const auto event = walk.step(index);
    if (event == Walk::Event::none) continue;
    if (event == Walk::Event::found) *matched = 1;
    walking = false;
  }
}

}  // namespace

template <class Offset, class Pos>
void detect_async(const SearchView<Pos>& index, const DetectView<Offset>& detect,
                  cudaStream_t stream) {
  const std::uint32_t jobs = detect.jobs.size();
  if (jobs == 0) return;
  const MatchIndexView<Pos> view{index.fm, index.text, index.sa, detect.fault};
  const unsigned most = multiprocessors() * tuning::detect_walk_blocks;
  const unsigned blocks =
      std::min(most, blocks_for(divide_up(jobs, tuning::detect_jobs_per_thread), detect_threads));
  detect_kernel<<<blocks, detect_threads, 0, stream>>>(view, detect);
  GSX_CUDA_CHECK(cudaGetLastError());
}

#define GSX_INSTANTIATE(Offset, Pos) \
  template void detect_async(const SearchView<Pos>&, const DetectView<Offset>&, cudaStream_t)
GSX_INSTANTIATE(std::uint32_t, std::uint32_t);
GSX_INSTANTIATE(std::uint64_t, std::uint32_t);
GSX_INSTANTIATE(std::uint64_t, std::uint64_t);
#undef GSX_INSTANTIATE

}  // namespace gsx::cuda
