#include "arrays/minima/minima_levels.hpp"
#include "kernels/arrays/minima/device_range_minima.hpp"
#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/tuning.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

/// A thread per node of a level that starts at `start`, and per element that pads it.
template <class Value>
__global__ void fill_kernel(MinimaLevels<Value> levels, unsigned level, std::uint64_t start) {
  const std::uint64_t node = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (node < levels.view.nodes(level)) {
    levels.fill(level, start, node);
  } else if (node < levels.view.padded(level)) {
    levels.pad(start, node);
  }
}

template <class Value>
__global__ void leftmost_kernel(RangeMinimaView<Value> minima, const ValueRange* d_ranges,
                                std::uint64_t count, std::uint64_t* d_positions) {
  const std::uint64_t k = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k < count) d_positions[k] = minima.leftmost(d_ranges[k].begin, d_ranges[k].end);
}

template <class Value>
__global__ void minimum_kernel(RangeMinimaView<Value> minima, const ValueRange* d_ranges,
                               std::uint64_t count, Value* d_minima) {
  const std::uint64_t k = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k < count) d_minima[k] = minima.minimum(d_ranges[k].begin, d_ranges[k].end);
}

}  // namespace

template <class Value>
DeviceRangeMinima<Value>::DeviceRangeMinima(const Value* d_values, std::uint64_t size,
                                            DeviceStream stream) {
  const MinimaSizes<Value> sizes(size);
  minima_ = DeviceBuffer<Value>(sizes.minima, stream);
  near_ = DeviceBuffer<std::uint8_t>(sizes.near, stream);
  far_ = DeviceBuffer<std::uint64_t>(sizes.far, stream);
  view_ = {d_values, size, minima_.data(), near_.data(), far_.data()};
  const MinimaLevels<Value> levels{view_, minima_.data(), near_.data(), far_.data()};
  std::uint64_t start = 0;
  for (unsigned level = 1; start < sizes.minima; ++level) {
    const std::uint64_t nodes = view_.padded(level);
    fill_kernel<<<blocks_for(nodes, block_threads), block_threads, 0, stream>>>(levels, level,
                                                                                start);
    GSX_CUDA_CHECK(cudaGetLastError());
    start += nodes;
  }
}

template <class Value>
void leftmost_minima_async(const RangeMinimaView<Value>& minima, const ValueRange* d_ranges,
                           std::uint64_t count, std::uint64_t* d_positions, cudaStream_t stream) {
  if (count == 0) return;
  leftmost_kernel<<<blocks_for(count, block_threads), block_threads, 0, stream>>>(
      minima, d_ranges, count, d_positions);
  GSX_CUDA_CHECK(cudaGetLastError());
}

template <class Value>
void range_minima_async(const RangeMinimaView<Value>& minima, const ValueRange* d_ranges,
                        std::uint64_t count, Value* d_minima, cudaStream_t stream) {
  if (count == 0) return;
  minimum_kernel<<<blocks_for(count, block_threads), block_threads, 0, stream>>>(minima, d_ranges,
                                                                                 count, d_minima);
  GSX_CUDA_CHECK(cudaGetLastError());
}

#define GSX_RANGE_MINIMA(Value)                                                         \
  template class DeviceRangeMinima<Value>;                                              \
  template void leftmost_minima_async(const RangeMinimaView<Value>&, const ValueRange*, \
                                      std::uint64_t, std::uint64_t*, cudaStream_t);     \
  template void range_minima_async(const RangeMinimaView<Value>&, const ValueRange*,    \
                                   std::uint64_t, Value*, cudaStream_t);
GSX_RANGE_MINIMA(std::uint8_t)
GSX_RANGE_MINIMA(std::uint16_t)
GSX_RANGE_MINIMA(std::uint32_t)
GSX_RANGE_MINIMA(std::uint64_t)
#undef GSX_RANGE_MINIMA

}  // namespace gsx::cuda
