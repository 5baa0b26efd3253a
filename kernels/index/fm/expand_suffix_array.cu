#include <algorithm>

#include "base/bits.hpp"
#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/device.hpp"
#include "kernels/base/tuning.hpp"
#include "kernels/index/fm/expand_suffix_array.hpp"
#include "search/exact/index_fault.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

/// One row per iteration, of whichever walk the thread is at. Walk k < segments starts at separator
/// k, whose row is k; the others at the sampled rows.
template <class Pos>
__global__ void rows_kernel(FmView fm, Pos* d_rows, std::uint32_t* d_fault) {
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  const std::uint64_t walks = fm.segments.count + fm.samples.size;
  const std::uint64_t rows = fm.rows();
  std::uint64_t walk = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  std::uint64_t row = 0, position = 0;
  for (bool walking = false;;) {
    if (!walking) {
      if (walk >= walks) return;
      if (walk < fm.segments.count) {
        row = walk;
        position = fm.segments.starts[walk + 1] - 1;
      } else {
        row = fm.sampling.row(walk - fm.segments.count);
        position = fm.samples[walk - fm.segments.count];
      }
      walk += threads;
      if (position >= rows) {
        *d_fault = 1;
        return;
      }
    }
    d_rows[row] = static_cast<Pos>(position);
    walking = false;
    if (position == 0 || fm.bwt.is_hole(row)) continue;
    row = fm.lf(fm.bwt.access(row), static_cast<Pos>(row));
    --position;
    if (row >= rows) {
      *d_fault = 1;
      return;
    }
    walking = !fm.sampling.keeps(row);
  }
}

/// Blocks of the kernel per multiprocessor: one less than it holds, since they stay to the end, and
/// searches go on beside them.
template <class Pos>
unsigned resident_blocks() {
  int most = 0;
  GSX_CUDA_CHECK(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&most, rows_kernel<Pos>, block_threads, 0));
  return static_cast<unsigned>(std::max(most - 1, 1));
}

}  // namespace

template <class Pos>
DeviceBuffer<Pos> expand_suffix_array(const FmView& d_fm, DeviceStream stream) {
  DeviceBuffer<Pos> rows(d_fm.rows(), stream);
  DeviceBuffer<std::uint32_t> fault(1, stream);
  GSX_CUDA_CHECK(cudaMemsetAsync(fault.data(), 0, fault.bytes(), stream));
  // An index that lies may leave rows out.
  GSX_CUDA_CHECK(cudaMemsetAsync(rows.data(), 0, rows.bytes(), stream));
  const std::uint64_t walks = d_fm.segments.count + d_fm.samples.size;
  const std::uint64_t most = std::uint64_t{multiprocessors()} * resident_blocks<Pos>();
  const auto blocks =
      static_cast<unsigned>(std::min<std::uint64_t>(most, divide_up(walks, block_threads)));
  rows_kernel<Pos><<<blocks, block_threads, 0, stream>>>(d_fm, rows.data(), fault.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  if (first_value(fault, stream) != 0) throw_index_fault();
  return rows;
}

template DeviceBuffer<std::uint32_t> expand_suffix_array(const FmView&, DeviceStream);
template DeviceBuffer<std::uint64_t> expand_suffix_array(const FmView&, DeviceStream);

}  // namespace gsx::cuda
