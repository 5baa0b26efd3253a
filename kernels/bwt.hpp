// The BWT and rows of the suffix array, from device memory.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/device_buffer.hpp"
#include "text/text_view.hpp"

namespace gsx::cuda {

/// out[i] = code before the suffix in row i, or 0xFF for a separator, as Bwt::codes gives it.
/// Cost: one gather from the text a row. Asynchronous.
void bwt_codes_async(const TextView& d_text, const DeviceBuffer<std::uint32_t>& suffix_array,
                     DeviceBuffer<std::uint8_t>& codes, cudaStream_t stream);

/// h_positions[i] = suffix_array[h_rows[i]]. Waits for the stream.
void gather_rows(const DeviceBuffer<std::uint32_t>& suffix_array,
                 std::span<const std::uint64_t> h_rows, std::uint64_t* h_positions,
                 cudaStream_t stream);

/// The entries of rows 0, step, 2 step, ... Asynchronous.
DeviceBuffer<std::uint32_t> every_row(const DeviceBuffer<std::uint32_t>& suffix_array,
                                      std::uint64_t step, cudaStream_t stream);

}  // namespace gsx::cuda
