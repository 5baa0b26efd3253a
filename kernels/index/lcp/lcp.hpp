// The LCP array on the device.
#pragma once

#include <cstdint>

#include "kernels/base/device_buffer.hpp"
#include "text/text_view.hpp"

namespace gsx::cuda {

/// Writes the LCP array of `size` consecutive rows of a suffix array to d_lcp, [size]: entry i is
/// what the suffixes in rows i - 1 and i have in common; entry 0 is 0. Pre: the rows are those of
/// all suffixes with something in common with another one.
///
/// A thread compares two neighbours up to tuning::thread_compared symbols. What agrees on more is
/// measured in the order of positions (kernels/index/lcp/measure_pairs.cuh).
/// Memory: 16 or 32 bytes for each row that shares more. Cost: two random lines of text per row.
/// Waits. Throws ResourceError, DeviceError.
template <class Pos>
void lcp_array(const TextView& d_text, const Pos* d_rows, std::uint64_t size, Pos* d_lcp,
               DeviceStream stream);

}  // namespace gsx::cuda
