#include <cub/device/device_radix_sort.cuh>

#include "kernels/lcp/lcp.hpp"
#include "kernels/runtime/cub_temporary.hpp"
#include "kernels/runtime/selection.cuh"
#include "kernels/runtime/tuning.hpp"
#include "lcp/common_prefix.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

template <class Pos>
__global__ void compare_kernel(TextView text, const Pos* d_rows, std::uint64_t size, Pos* d_lcp) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= size) return;
  if (i == 0) {
    d_lcp[0] = 0;
    return;
  }
  const BoundedSuffix here(text, d_rows[i]), above(text, d_rows[i - 1]);
  d_lcp[i] = static_cast<Pos>(here.common_prefix(text.symbols, above, 0, tuning::thread_compared));
}

/// Rows whose suffixes agree on all that a thread has compared.
template <class Pos>
struct IsLong {
  const Pos* d_lcp;
  __device__ bool operator()(std::uint64_t i) const { return d_lcp[i] == tuning::thread_compared; }
};
template <class Pos>
struct ListRows {
  const Pos* d_rows;
  Pos* d_positions;
  Pos* d_numbers;
  __device__ void keep(std::uint64_t i, std::uint64_t k) const {
    d_positions[k] = d_rows[i];
    d_numbers[k] = static_cast<Pos>(i);
  }
  __device__ void drop(std::uint64_t) const {}
};

/// Rows with a long prefix, in the order of their positions.
template <class Pos>
struct LongRows {
  const Pos* d_positions;
  const Pos* d_numbers;
  std::uint64_t size;
};

/// How many of `most` symbols from p and q on are equal, `known` of which are. For the whole warp.
__device__ std::uint64_t warp_common_symbols(const PackedView& symbols, std::uint64_t p,
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

/// A warp for every `stride`-th row. Those at every 32nd of these have been measured before, and so
/// has the first one, unless it is the `first` of all.
template <class Pos>
__global__ void __launch_bounds__(block_threads)
    measure_kernel(TextView text, const Pos* d_rows, LongRows<Pos> rows, std::uint64_t stride,
                   bool first, Pos* d_lcp) {
  const std::uint64_t warp = std::uint64_t{blockIdx.x} * (block_threads / 32) + threadIdx.x / 32;
  const std::uint64_t k = warp * stride;
  if (k >= rows.size) return;
  const std::uint64_t base = warp - warp % 32;
  if (base == warp && !first) return;
  const std::uint64_t i = rows.d_numbers[k], p = rows.d_positions[k];
  std::uint64_t known = tuning::thread_compared;
  if (base != warp) {
    const std::uint64_t of_base = d_lcp[rows.d_numbers[base * stride]];
    const std::uint64_t passed = p - rows.d_positions[base * stride];
    if (of_base > passed + known) known = of_base - passed;
  }
  const BoundedSuffix here(text, p), above(text, d_rows[i - 1]);
  const std::uint64_t most = here.length < above.length ? here.length : above.length;
  const std::uint64_t length = warp_common_symbols(text.symbols, p, above.position, known, most);
  if (threadIdx.x % 32 == 0) d_lcp[i] = static_cast<Pos>(length);
}

template <class Pos>
void measure_long(const TextView& text, const Pos* d_rows, const LongRows<Pos>& rows, Pos* d_lcp,
                  DeviceStream stream) {
  std::uint64_t stride = 1;
  while (stride < rows.size)
    stride *= 32;
  for (bool first = true; stride != 0; stride /= 32, first = false) {
    const std::uint64_t warps = divide_up(rows.size, stride);
    measure_kernel<<<blocks_for(warps * 32, block_threads), block_threads, 0, stream>>>(
        text, d_rows, rows, stride, first, d_lcp);
    GSX_CUDA_CHECK(cudaGetLastError());
  }
}

}  // namespace

template <class Pos>
void lcp_array(const TextView& d_text, const Pos* d_rows, std::uint64_t size, Pos* d_lcp,
               DeviceStream stream) {
  if (size == 0) return;
  compare_kernel<<<blocks_for(size, block_threads), block_threads, 0, stream>>>(d_text, d_rows,
                                                                                size, d_lcp);
  GSX_CUDA_CHECK(cudaGetLastError());
  const Selection found(IsLong<Pos>{d_lcp}, size, stream);
  const std::uint64_t count = found.size();
  if (count == 0) return;
  DeviceBuffer<Pos> positions(count, stream), numbers(count, stream);
  DeviceBuffer<Pos> sorted_positions(count, stream), sorted_numbers(count, stream);
  found.move_async(ListRows<Pos>{d_rows, positions.data(), numbers.data()});
  run_cub_async(
      [&](void* workspace, std::size_t& bytes) {
        return cub::DeviceRadixSort::SortPairs(
            workspace, bytes, positions.data(), sorted_positions.data(), numbers.data(),
            sorted_numbers.data(), count, 0, static_cast<int>(bits_for(d_text.length())), stream);
      },
      stream);
  measure_long(d_text, d_rows, LongRows<Pos>{sorted_positions.data(), sorted_numbers.data(), count},
               d_lcp, stream);
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
}

template void lcp_array(const TextView&, const std::uint32_t*, std::uint64_t, std::uint32_t*,
                        DeviceStream);
template void lcp_array(const TextView&, const std::uint64_t*, std::uint64_t, std::uint64_t*,
                        DeviceStream);

}  // namespace gsx::cuda
