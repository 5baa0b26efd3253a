#include <algorithm>

#include "kernels/bwt_walker.hpp"
#include "kernels/cub_temporary.hpp"
#include "kernels/device.hpp"
#include "kernels/tuning.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

/// One step an iteration, of whichever piece the thread is at, so that a warp does not wait for its
/// longest piece.
template <class Pos>
__global__ void walk_kernel(BwtWalk walk, std::uint32_t* d_wrong) {
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  const std::uint64_t pieces = walk.pieces();
  std::uint64_t piece = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  BwtWalk::Place<Pos> place{};
  for (bool walking = false;;) {
    WalkStep step = WalkStep::on;
    if (!walking) {
      if (piece >= pieces) return;
      step = walk.begin(piece, place);
      piece += threads;
    }
    if (step == WalkStep::on) step = walk.step(place);
    if (step != WalkStep::on && step != WalkStep::end) {
      *d_wrong = 1;
      return;
    }
    walking = step == WalkStep::on && !walk.is_sampled(place.row);
  }
}

}  // namespace

bool walks_without_fault(const BwtWalk& d_walk, PositionWidth width, cudaStream_t stream) {
  DeviceBuffer<std::uint32_t> wrong(1, stream);
  GSX_CUDA_CHECK(cudaMemsetAsync(wrong.data(), 0, wrong.bytes(), stream));
  const std::uint64_t most = std::uint64_t{multiprocessors()} * tuning::walk_blocks;
  const std::uint64_t needed = (d_walk.pieces() + block_threads - 1) / block_threads;
  const auto blocks = static_cast<unsigned>(std::min(most, needed));
  if (is_wide(d_walk.fm.rows(), width)) {
    walk_kernel<std::uint64_t><<<blocks, block_threads, 0, stream>>>(d_walk, wrong.data());
  } else {
    walk_kernel<std::uint32_t><<<blocks, block_threads, 0, stream>>>(d_walk, wrong.data());
  }
  GSX_CUDA_CHECK(cudaGetLastError());
  return first_value(wrong, stream) == 0;
}

}  // namespace gsx::cuda
