// Rows of a suffix array, in groups that agree on some symbols.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "kernels/base/device_buffer.hpp"
#include "kernels/index/lcp/compare_rows.cuh"
#include "kernels/index/sa/finished_rows.hpp"
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

/// What each row shares with the one before, up to `cap` symbols; the first one nothing. Pre: there
/// is a row, cap < 2^16. Asynchronous. Throws ResourceError, DeviceError. Cost: two random lines of
/// text per row, and more where rows share much.
template <class Pos>
DeviceBuffer<std::uint16_t> common_prefixes_async(const TextView& d_text,
                                                  const FinishedRows<Pos>& rows, std::uint32_t cap,
                                                  DeviceStream stream) {
  DeviceBuffer<std::uint16_t> lcps(rows.count, stream);
  compare_rows_async(d_text, rows.d_rows, rows.count, cap, lcps.data(), stream);
  return lcps;
}

}  // namespace gsx::cuda
