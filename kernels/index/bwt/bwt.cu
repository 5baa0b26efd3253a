#include "base/bits.hpp"
#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/tuning.hpp"
#include "kernels/index/bwt/bwt.hpp"
#include "kernels/text/code_before.hpp"
#include "kernels/text/leading_bits.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

constexpr std::uint8_t separator = 0xFF;

template <class Pos>
__global__ void bwt_kernel(TextView text, FinishedRows<Pos> rows, std::uint8_t* d_codes,
                           SeparatorList separators) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= rows.count) return;
  const bool known = rows.d_codes != nullptr && rows.d_codes[i] != unknown_code;
  std::uint64_t code = known ? rows.d_codes[i] : 0;
  if (!known || code == 0) {  // a separator's code is 0 too
    const std::uint64_t p = rows.d_rows[i];
    if (!known && p > 0) code = text.symbols[p - 1];
    if (code == 0 && starts_segment(text, p)) {
      code = separator;
      if (separators.d_count != nullptr) {
        const unsigned long long k = atomicAdd(separators.d_count, 1ull);
        separators.d_rows[k] = rows.first_row + i;
        separators.d_positions[k] = p;
      }
    }
  }
  d_codes[i] = static_cast<std::uint8_t>(code);
}

template <class Pos>
__global__ void sample_kernel(FinishedRows<Pos> rows, RowSampling sampling, std::uint64_t first,
                              std::uint64_t count, Pos* d_samples) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count) d_samples[first + i] = rows.d_rows[sampling.row(first + i) - rows.first_row];
}

}  // namespace

template <class Pos>
void bwt_codes_async(const TextView& d_text, const FinishedRows<Pos>& rows, std::uint8_t* d_codes,
                     const SeparatorList& separators, DeviceStream stream) {
  bwt_kernel<<<blocks_for(rows.count, block_threads), block_threads, 0, stream>>>(
      d_text, rows, d_codes, separators);
  GSX_CUDA_CHECK(cudaGetLastError());
}

template <class Pos>
void sample_rows_async(const FinishedRows<Pos>& rows, const RowSampling& sampling, Pos* d_samples,
                       DeviceStream stream) {
  const std::uint64_t first = sampling.count(rows.first_row);
  const std::uint64_t end = sampling.count(rows.first_row + rows.count);
  if (first == end) return;
  sample_kernel<<<blocks_for(end - first, block_threads), block_threads, 0, stream>>>(
      rows, sampling, first, end - first, d_samples);
  GSX_CUDA_CHECK(cudaGetLastError());
}

using Narrow = std::uint32_t;
using Wide = std::uint64_t;
template void bwt_codes_async(const TextView&, const FinishedRows<Narrow>&, std::uint8_t*,
                              const SeparatorList&, DeviceStream);
template void bwt_codes_async(const TextView&, const FinishedRows<Wide>&, std::uint8_t*,
                              const SeparatorList&, DeviceStream);
template void sample_rows_async(const FinishedRows<Narrow>&, const RowSampling&, Narrow*,
                                DeviceStream);
template void sample_rows_async(const FinishedRows<Wide>&, const RowSampling&, Wide*, DeviceStream);

}  // namespace gsx::cuda
