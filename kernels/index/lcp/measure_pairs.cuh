// Common prefixes that are too long for a thread, measured by warps in the order of positions.
#pragma once

#include <cstdint>

#include "base/bits.hpp"
#include "index/lcp/common_prefix.hpp"
#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/tuning.hpp"
#include "text/text_view.hpp"

namespace gsx::cuda {

/// How many of `most` symbols from p and q on are equal, `known` of which are. For the whole warp.
__device__ inline std::uint64_t warp_common_symbols(const PackedView& symbols, std::uint64_t p,
                                                    std::uint64_t q, std::uint64_t known,
                                                    std::uint64_t most) {
  const std::uint32_t at_once = symbols_at_once(symbols.bits);
  for (std::uint64_t equal = known; equal < most; equal += std::uint64_t{32} * at_once) {
    const std::uint64_t begin = equal + std::uint64_t{threadIdx.x % 32} * at_once;
    const std::uint64_t end = begin + at_once < most ? begin + at_once : most;
    const std::uint64_t found = begin < most ? common_symbols(symbols, p, q, begin, end) : most;
    const std::uint32_t unlike = __ballot_sync(~0u, found < end);
    if (unlike != 0) return __shfl_sync(~0u, found, static_cast<int>(lowest_bit32(unlike)));
  }
  return most;
}

/// A warp for every `stride`-th pair. Those at every 32nd of these have been measured before, and
/// so has the first one, unless it is the `first` of all.
template <class Pairs>
__global__ void __launch_bounds__(tuning::block_threads)
    measure_kernel(TextView text, Pairs pairs, std::uint64_t stride, bool first) {
  const std::uint64_t warp =
      std::uint64_t{blockIdx.x} * (tuning::block_threads / 32) + threadIdx.x / 32;
  const std::uint64_t k = warp * stride;
  if (k >= pairs.size) return;
  const std::uint64_t base = warp - warp % 32;
  if (base == warp && !first) return;
  const std::uint64_t p = pairs.position(k);
  std::uint64_t known = pairs.known;
  if (base != warp) {
    const std::uint64_t of_base = pairs.length(base * stride);
    const std::uint64_t passed = p - pairs.position(base * stride);
    if (of_base > passed + known) known = of_base - passed;
  }
  const BoundedSuffix here(text, p), other(text, pairs.partner(k));
  const std::uint64_t most = here.length < other.length ? here.length : other.length;
  const std::uint64_t length =
      warp_common_symbols(text.symbols, p, other.position, known < most ? known : most, most);
  __syncwarp();  // the length may take the place of the partner
  if (threadIdx.x % 32 == 0) pairs.set_length(k, length);
}

/// Measures pairs of suffixes in the order of positions, a warp for each: position p shares at most
/// one symbol less than the position before (index/lcp/long_prefixes.hpp), so a warp goes on where
/// the nearest measured position before its own tells it to begin. Every 32nd of every 32nd ... is
/// measured first.
///
/// Pairs has `size`, and `known`, symbols on which all of them agree; position(k), increasing;
/// partner(k); length(k), which is read only after set_length(k, length). Partners are as for
/// LongPrefixes. Asynchronous.
template <class Pairs>
void measure_pairs_async(const TextView& d_text, const Pairs& pairs, cudaStream_t stream) {
  std::uint64_t stride = 1;
  while (stride < pairs.size)
    stride *= 32;
  for (bool first = true; stride != 0; stride /= 32, first = false) {
    const std::uint64_t warps = divide_up(pairs.size, stride);
    measure_kernel<<<blocks_for(warps * 32, tuning::block_threads), tuning::block_threads, 0,
                     stream>>>(d_text, pairs, stride, first);
    GSX_CUDA_CHECK(cudaGetLastError());
  }
}

}  // namespace gsx::cuda
