#include "kernels/arrays/rank/wavelet_kernels.hpp"
#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/device.hpp"
#include "kernels/base/tuning.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

// Queries and answers pass the caches by, so that these hold what is read again.

template <class Pos>
__global__ void access_kernel(WaveletMatrixView wavelet, const Pos* d_positions,
                              std::uint64_t count, std::uint8_t* d_codes) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count)
    __stcs(d_codes + i, static_cast<std::uint8_t>(wavelet.access(__ldcs(d_positions + i))));
}

template <Reuse reuse, class Pos>
__global__ void rank_kernel(WaveletMatrixView wavelet, const std::uint8_t* d_codes,
                            const Pos* d_positions, std::uint64_t count, Pos* d_ranks) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const std::uint32_t code = __ldcs(d_codes + i);
  const Pos rank =
      wavelet.sorted_rank<reuse>(code, __ldcs(d_positions + i)) - wavelet.sorted_rank(code, Pos{0});
  __stcs(d_ranks + i, rank);
}

template <Reuse reuse, class Pos>
__global__ void select_kernel(WaveletMatrixView wavelet, const std::uint8_t* d_codes,
                              const Pos* d_numbers, std::uint64_t count, Pos* d_positions) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const std::uint64_t number = __ldcs(d_numbers + i);
  __stcs(d_positions + i, static_cast<Pos>(wavelet.select<reuse>(__ldcs(d_codes + i), number)));
}

__global__ void hints_kernel(QuadView level, std::uint64_t count, std::uint32_t* d_hints) {
  const std::uint64_t h = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (h < count) d_hints[h] = level.find_hint(h);
}

/// Whether a block that one query reads is likely to be in the second cache when the next one wants
/// it. If not, the cache had better hold superblocks and hints.
Reuse reuse_of(const WaveletMatrixView& wavelet) {
  const std::uint64_t blocks = wavelet.level_count * (wavelet.size() / QuadBlock::digits + 1);
  const bool fits = blocks * sizeof(QuadBlock) <= tuning::reused_caches * second_cache_bytes();
  return fits ? Reuse::likely : Reuse::unlikely;
}

}  // namespace

template <class Pos>
void access_async(const WaveletMatrixView& d_wavelet, const Pos* d_positions, std::uint64_t count,
                  std::uint8_t* d_codes, DeviceStream stream) {
  if (count == 0) return;
  access_kernel<<<blocks_for(count, block_threads), block_threads, 0, stream>>>(
      d_wavelet, d_positions, count, d_codes);
  GSX_CUDA_CHECK(cudaGetLastError());
}

template <class Pos>
void rank_async(const WaveletMatrixView& d_wavelet, const std::uint8_t* d_codes,
                const Pos* d_positions, std::uint64_t count, Pos* d_ranks, DeviceStream stream) {
  if (count == 0) return;
  const auto kernel = reuse_of(d_wavelet) == Reuse::likely ? rank_kernel<Reuse::likely, Pos>
                                                           : rank_kernel<Reuse::unlikely, Pos>;
  kernel<<<blocks_for(count, block_threads), block_threads, 0, stream>>>(
      d_wavelet, d_codes, d_positions, count, d_ranks);
  GSX_CUDA_CHECK(cudaGetLastError());
}

template <class Pos>
void select_async(const WaveletMatrixView& d_wavelet, const std::uint8_t* d_codes,
                  const Pos* d_numbers, std::uint64_t count, Pos* d_positions,
                  DeviceStream stream) {
  if (count == 0) return;
  const auto kernel = reuse_of(d_wavelet) == Reuse::likely ? select_kernel<Reuse::likely, Pos>
                                                           : select_kernel<Reuse::unlikely, Pos>;
  kernel<<<blocks_for(count, block_threads), block_threads, 0, stream>>>(
      d_wavelet, d_codes, d_numbers, count, d_positions);
  GSX_CUDA_CHECK(cudaGetLastError());
}

void find_hints_async(const QuadView& d_level, std::uint64_t count, std::uint32_t* d_hints,
                      DeviceStream stream) {
  if (count == 0) return;
  hints_kernel<<<blocks_for(count, block_threads), block_threads, 0, stream>>>(d_level, count,
                                                                               d_hints);
  GSX_CUDA_CHECK(cudaGetLastError());
}

#define GSX_INSTANTIATE(Pos)                                                                     \
  template void access_async(const WaveletMatrixView&, const Pos*, std::uint64_t, std::uint8_t*, \
                             DeviceStream);                                                      \
  template void rank_async(const WaveletMatrixView&, const std::uint8_t*, const Pos*,            \
                           std::uint64_t, Pos*, DeviceStream);                                   \
  template void select_async(const WaveletMatrixView&, const std::uint8_t*, const Pos*,          \
                             std::uint64_t, Pos*, DeviceStream);
GSX_INSTANTIATE(std::uint32_t)
GSX_INSTANTIATE(std::uint64_t)
#undef GSX_INSTANTIATE

}  // namespace gsx::cuda
