// The BWT and rows of the suffix array, from device memory.
#pragma once

#include <cstdint>

#include "index/fm/row_sampling.hpp"
#include "kernels/base/device_buffer.hpp"
#include "kernels/index/sa/finished_rows.hpp"
#include "text/text_view.hpp"

namespace gsx::cuda {

/// The rows found so far where a segment starts, so that their BWT symbol is a separator, in any
/// order, and their text positions. Null where nobody wants them.
struct SeparatorList {
  unsigned long long* d_count = nullptr;
  std::uint64_t* d_rows = nullptr;
  std::uint64_t* d_positions = nullptr;
};

/// d_codes[i] = code before the suffix in row first_row + i, or 0xFF for a separator, as Bwt::codes
/// gives it; appends rows of separators to the list, which has room for them. Cost: one gather from
/// the text for each row whose code is not known. Asynchronous.
template <class Pos>
void bwt_codes_async(const TextView& d_text, const FinishedRows<Pos>& rows, std::uint8_t* d_codes,
                     const SeparatorList& separators, DeviceStream stream);

/// Copies those of these rows of the suffix array that `sampling` keeps to d_samples, by the number
/// of the sample. Asynchronous.
template <class Pos>
void sample_rows_async(const FinishedRows<Pos>& rows, const RowSampling& sampling, Pos* d_samples,
                       DeviceStream stream);

}  // namespace gsx::cuda
