#include "index/sa/row_check.hpp"
#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/tuning.hpp"
#include "kernels/index/sa/row_checker.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

template <class Pos>
__global__ void invert_kernel(RowCheck<Pos> check, std::uint32_t* d_wrong) {
  const std::uint64_t row = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (row >= check.text.length()) return;
  if (check.may_hold(row)) {
    check.inverse[check.rows[row]] = static_cast<Pos>(row);
  } else {
    *d_wrong = 1;
  }
}

/// Thread i checks that position i is taken, and the order of rows i - 1 and i.
template <class Pos>
__global__ void order_kernel(RowCheck<Pos> check, std::uint32_t* d_wrong) {
  using Key = typename RowCheck<Pos>::Key;
  constexpr unsigned whole_warp = 0xFFFFFFFF;
  const std::uint64_t row = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::uint64_t first = check.text.segments.count;  // row of a symbol
  const bool inside = row < check.text.length();
  Key key{};
  if (inside && row >= first) key = check.key(row);
  Key before{__shfl_up_sync(whole_warp, key.symbol, 1), __shfl_up_sync(whole_warp, key.rest, 1)};
  if (!inside) return;
  if (threadIdx.x % 32 == 0 && row > first) before = check.key(row - 1);
  if (!check.is_taken(row) || (row > first && !check.comes_before(before, key))) *d_wrong = 1;
}

}  // namespace

template <class Pos>
bool is_suffix_array(const TextView& d_text, const DeviceBuffer<Pos>& rows, DeviceStream stream) {
  DeviceBuffer<Pos> inverse(rows.size(), stream);
  DeviceBuffer<std::uint32_t> wrong(1, stream);
  static_assert(RowCheck<Pos>::unset == static_cast<Pos>(-1));  // bytes of 0xFF
  GSX_CUDA_CHECK(cudaMemsetAsync(inverse.data(), 0xFF, inverse.bytes(), stream));
  GSX_CUDA_CHECK(cudaMemsetAsync(wrong.data(), 0, wrong.bytes(), stream));
  const RowCheck<Pos> check{d_text, rows.data(), inverse.data()};
  const unsigned blocks = blocks_for(rows.size(), block_threads);
  invert_kernel<<<blocks, block_threads, 0, stream>>>(check, wrong.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  order_kernel<<<blocks, block_threads, 0, stream>>>(check, wrong.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  return first_value(wrong, stream) == 0;
}

template bool is_suffix_array(const TextView&, const DeviceBuffer<std::uint32_t>&, DeviceStream);
template bool is_suffix_array(const TextView&, const DeviceBuffer<std::uint64_t>&, DeviceStream);

}  // namespace gsx::cuda
