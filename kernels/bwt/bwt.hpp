// The BWT and rows of the suffix array, from device memory.
#pragma once

#include <cstdint>

#include "fm/row_sampling.hpp"
#include "kernels/runtime/device_buffer.hpp"
#include "kernels/sa/finished_rows.hpp"
#include "text/text_view.hpp"

namespace gsx::cuda {

/// d_codes[i] = code before the suffix in row first_row + i, or 0xFF for a separator, as Bwt::codes
/// gives it. Cost: one gather from the text for each row whose code is not known. Asynchronous.
template <class Pos>
void bwt_codes_async(const TextView& d_text, const FinishedRows<Pos>& rows, std::uint8_t* d_codes,
                     DeviceStream stream);

/// Copies those of these rows of the suffix array that `sampling` keeps to d_samples, by the number
/// of the sample. Asynchronous.
template <class Pos>
void sample_rows_async(const FinishedRows<Pos>& rows, const RowSampling& sampling, Pos* d_samples,
                       DeviceStream stream);

/// The rows among these where a segment starts, so that their BWT symbol is a separator: writes row
/// numbers and positions, ascending by row, and returns how many there are. Pre: d_codes are the
/// rows' codes. Cost: two passes over the codes. Waits for the stream.
template <class Pos>
std::uint64_t find_separators(const FinishedRows<Pos>& rows, const std::uint8_t* d_codes,
                              std::uint64_t* d_found_rows, std::uint64_t* d_positions,
                              DeviceStream stream);

}  // namespace gsx::cuda
