// Rows of a suffix array, in groups that agree on some symbols.
#pragma once

#include <cstdint>

#include "kernels/runtime/cub_temporary.hpp"
#include "kernels/runtime/device_buffer.hpp"
#include "kernels/runtime/tuning.hpp"
#include "kernels/sa/finished_rows.hpp"
#include "lcp/common_prefix.hpp"
#include "text/text_view.hpp"

namespace gsx::cuda {

/// Rows in groups that agree on k symbols. `d_lcps` holds what each row shares with the one before.
struct RowGroupsView {
  const std::uint16_t* d_lcps;
  std::uint64_t count;
  std::uint64_t k;

  GSX_HD bool begins(std::uint64_t i) const { return d_lcps[i] < k; }
  GSX_HD bool ends(std::uint64_t i) const { return i + 1 == count || d_lcps[i + 1] < k; }
  /// Whether no other row is in its group.
  GSX_HD bool is_alone(std::uint64_t i) const { return begins(i) && ends(i); }
};

namespace row_groups {

template <class Pos>
__global__ void lcps_kernel(TextView text, const Pos* d_rows, std::uint64_t count,
                            std::uint32_t cap, std::uint16_t* d_lcps) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= count) return;
  std::uint64_t lcp = 0;
  if (i > 0) {
    const BoundedSuffix here(text, d_rows[i]), above(text, d_rows[i - 1]);
    lcp = here.common_prefix(text.symbols, above, 0, cap);
  }
  d_lcps[i] = static_cast<std::uint16_t>(lcp);
}

}  // namespace row_groups

/// What each row shares with the one before, up to `cap` symbols; the first one nothing. Pre: there
/// is a row, cap < 2^16. Asynchronous. Throws ResourceError, DeviceError. Cost: two random lines of
/// text per row, and more where rows share much.
template <class Pos>
DeviceBuffer<std::uint16_t> common_prefixes_async(const TextView& d_text,
                                                  const FinishedRows<Pos>& rows, std::uint32_t cap,
                                                  DeviceStream stream) {
  DeviceBuffer<std::uint16_t> lcps(rows.count, stream);
  row_groups::lcps_kernel<<<blocks_for(rows.count, tuning::block_threads), tuning::block_threads, 0,
                            stream>>>(d_text, rows.d_rows, rows.count, cap, lcps.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  return lcps;
}

}  // namespace gsx::cuda
