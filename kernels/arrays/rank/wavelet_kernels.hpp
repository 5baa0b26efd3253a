// Batches of queries to a wavelet matrix on the device.
#pragma once

#include <cstdint>

#include "arrays/rank/wavelet_matrix_view.hpp"
#include "kernels/base/memory_pool.hpp"

namespace gsx::cuda {

/// d_codes[i] = code at d_positions[i]. Like the others here asynchronous, one thread per query.
/// Pre, as all of these: what WaveletMatrixView asks of each query. Throws DeviceError.
template <class Pos>
void access_async(const WaveletMatrixView& d_wavelet, const Pos* d_positions, std::uint64_t count,
                  std::uint8_t* d_codes, DeviceStream stream);

/// d_ranks[i] = occurrences of d_codes[i] before d_positions[i].
template <class Pos>
void rank_async(const WaveletMatrixView& d_wavelet, const std::uint8_t* d_codes,
                const Pos* d_positions, std::uint64_t count, Pos* d_ranks, DeviceStream stream);

/// d_positions[i] = place of the d_codes[i] with d_numbers[i] of them before it.
template <class Pos>
void select_async(const WaveletMatrixView& d_wavelet, const std::uint8_t* d_codes,
                  const Pos* d_numbers, std::uint64_t count, Pos* d_positions, DeviceStream stream);

/// d_hints[h] = d_level.find_hint(h) for all `count` of its hints.
void find_hints_async(const QuadView& d_level, std::uint64_t count, std::uint32_t* d_hints,
                      DeviceStream stream);

}  // namespace gsx::cuda
