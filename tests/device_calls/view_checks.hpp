// The checks of tests/checks, run on the device.
#pragma once

#include <cstdint>
#include <vector>

#include "arrays/rank/wavelet_matrix.hpp"

namespace gsx::testing {

/// Whether there is a GPU to test on.
bool have_gpu();

/// Copies a wavelet matrix to the device and runs checks::check_access, and check_rank and
/// check_select for every code, there. Returns 0, or 1 + the first wrong position.
std::uint64_t check_wavelet_on_device(const WaveletMatrix& wavelet,
                                      const std::vector<std::uint8_t>& codes, std::uint32_t sigma);

}  // namespace gsx::testing
