#include <algorithm>

#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/device.hpp"
#include "kernels/base/tuning.hpp"
#include "kernels/index/fm/bwt_walker.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

struct WalkResult {
  unsigned long long longest;
  unsigned long long faults;
};

/// One step per iteration, of whichever piece the thread is at, so that a warp does not wait for
/// its longest piece.
template <class Pos>
__global__ void walk_kernel(BwtWalk walk, WalkResult* d_result) {
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  const std::uint64_t pieces = walk.pieces();
  std::uint64_t piece = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  PieceWalker<Pos> walker;
  for (bool walking = false;;) {
    WalkStep step = WalkStep::on;
    if (!walking) {
      if (piece >= pieces) break;
      step = walker.begin(walk, piece);
      piece += threads;
    }
    if (step == WalkStep::on) step = walker.step(walk);
    if (step != WalkStep::on && step != WalkStep::end) {
      d_result->faults = 1;
      return;
    }
    walking = step == WalkStep::on;
  }
  const auto longest = static_cast<unsigned long long>(walker.longest());
  if (longest > d_result->longest) atomicMax(&d_result->longest, longest);
}

}  // namespace

std::optional<std::uint64_t> longest_walk(const BwtWalk& d_walk, PositionWidth width,
                                          DeviceStream stream) {
  DeviceBuffer<WalkResult> result(1, stream);
  GSX_CUDA_CHECK(cudaMemsetAsync(result.data(), 0, result.bytes(), stream));
  const std::uint64_t most = std::uint64_t{multiprocessors()} * tuning::walk_blocks;
  const std::uint64_t needed = (d_walk.pieces() + block_threads - 1) / block_threads;
  const auto blocks = static_cast<unsigned>(std::min(most, needed));
  if (is_wide(d_walk.fm.rows(), width)) {
    walk_kernel<std::uint64_t><<<blocks, block_threads, 0, stream>>>(d_walk, result.data());
  } else {
    walk_kernel<std::uint32_t><<<blocks, block_threads, 0, stream>>>(d_walk, result.data());
  }
  GSX_CUDA_CHECK(cudaGetLastError());
  const WalkResult found = first_value(result, stream);
  if (found.faults != 0) return std::nullopt;
  return found.longest;
}

}  // namespace gsx::cuda
