// Rows of the suffix array that the sorter has finished.
#pragma once

#include <cstdint>

namespace gsx::cuda {

/// Rows [first_row, first_row + count) of the suffix array, final, on the device.
template <class Pos>
struct FinishedRows {
  std::uint64_t first_row = 0;
  std::uint64_t count = 0;
  const Pos* d_rows = nullptr;
  /// Keys of the first sort, which carry the code before each suffix that they told apart from all
  /// others (kernels/text/leading_bits.hpp); null where there are none.
  const std::uint32_t* d_keys = nullptr;
};

}  // namespace gsx::cuda
