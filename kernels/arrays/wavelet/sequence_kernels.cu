#include "kernels/arrays/wavelet/sequence_kernels.hpp"
#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/cuda_error.hpp"
#include "kernels/base/device.hpp"
#include "kernels/base/tuning.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;
using View = WaveletSequenceView;

// Queries and answers pass the caches by, so that these hold what is read again.

template <class Number>
__global__ void access_kernel(View sequence, const Number* d_positions, std::uint64_t count,
                              Number* d_values) {
  const std::uint64_t k = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k < count)
    __stcs(d_values + k, static_cast<Number>(sequence.access(__ldcs(d_positions + k))));
}

template <Reuse reuse, class Number>
__global__ void rank_kernel(View sequence, const Number* d_values, const Number* d_positions,
                            std::uint64_t count, Number* d_ranks) {
  const std::uint64_t k = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k >= count) return;
  const std::uint64_t value = __ldcs(d_values + k), position = __ldcs(d_positions + k);
  __stcs(d_ranks + k, static_cast<Number>(sequence.rank<reuse>(value, position)));
}

template <Reuse reuse, class Number>
__global__ void select_kernel(View sequence, const Number* d_values, const Number* d_numbers,
                              std::uint64_t count, Number* d_positions) {
  const std::uint64_t k = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k >= count) return;
  const std::uint64_t value = __ldcs(d_values + k), number = __ldcs(d_numbers + k);
  static_assert(static_cast<Number>(View::not_found) == static_cast<Number>(-1));
  __stcs(d_positions + k, static_cast<Number>(sequence.select<reuse>(value, number)));
}

/// As for a wavelet matrix: whether a block is likely to be in the second cache when it is wanted
/// again.
Reuse reuse_of(const View& sequence) {
  std::uint64_t digits = 0;
  for (std::uint32_t level = 0; level < sequence.level_count; ++level)
    digits += sequence.levels[level].size;
  const bool fits = digits / QuadBlock::digits * sizeof(QuadBlock) <=
                    tuning::reused_caches * second_cache_bytes();
  return fits ? Reuse::likely : Reuse::unlikely;
}

}  // namespace

template <class Number>
void access_async(const View& d_sequence, const Number* d_positions, std::uint64_t count,
                  Number* d_values, cudaStream_t stream) {
  if (count == 0) return;
  access_kernel<<<blocks_for(count, block_threads), block_threads, 0, stream>>>(
      d_sequence, d_positions, count, d_values);
  GSX_CUDA_CHECK(cudaGetLastError());
}

template <class Number>
void rank_async(const View& d_sequence, const Number* d_values, const Number* d_positions,
                std::uint64_t count, Number* d_ranks, cudaStream_t stream) {
  if (count == 0) return;
  const auto kernel = reuse_of(d_sequence) == Reuse::likely ? rank_kernel<Reuse::likely, Number>
                                                            : rank_kernel<Reuse::unlikely, Number>;
  kernel<<<blocks_for(count, block_threads), block_threads, 0, stream>>>(
      d_sequence, d_values, d_positions, count, d_ranks);
  GSX_CUDA_CHECK(cudaGetLastError());
}

template <class Number>
void select_async(const View& d_sequence, const Number* d_values, const Number* d_numbers,
                  std::uint64_t count, Number* d_positions, cudaStream_t stream) {
  if (count == 0) return;
  const auto kernel = reuse_of(d_sequence) == Reuse::likely
                          ? select_kernel<Reuse::likely, Number>
                          : select_kernel<Reuse::unlikely, Number>;
  kernel<<<blocks_for(count, block_threads), block_threads, 0, stream>>>(
      d_sequence, d_values, d_numbers, count, d_positions);
  GSX_CUDA_CHECK(cudaGetLastError());
}

#define GSX_SEQUENCE_QUERIES(Number)                                                            \
  template void access_async(const View&, const Number*, std::uint64_t, Number*, cudaStream_t); \
  template void rank_async(const View&, const Number*, const Number*, std::uint64_t, Number*,   \
                           cudaStream_t);                                                       \
  template void select_async(const View&, const Number*, const Number*, std::uint64_t, Number*, \
                             cudaStream_t);
GSX_SEQUENCE_QUERIES(std::uint32_t)
GSX_SEQUENCE_QUERIES(std::uint64_t)
#undef GSX_SEQUENCE_QUERIES

}  // namespace gsx::cuda
