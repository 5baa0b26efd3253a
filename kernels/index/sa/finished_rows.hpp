// Rows of the suffix array that the sorter has finished.
#pragma once

#include <cstdint>

namespace gsx::cuda {

/// Stands for the code before a suffix where sorting has not carried it along.
inline constexpr std::uint8_t unknown_code = 0xFE;

/// Rows [first_row, first_row + count) of the suffix array, final, on the device; or, where only
/// the BWT is wanted, rows with the same codes before them as these.
template <class Pos>
struct FinishedRows {
  std::uint64_t first_row = 0;
  std::uint64_t count = 0;
  const Pos* d_rows = nullptr;
  /// The code in the text before each suffix, 0 before the first one, or unknown_code; null where
  /// none is known.
  const std::uint8_t* d_codes = nullptr;
};

}  // namespace gsx::cuda
