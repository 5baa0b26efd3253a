// Batches of queries to a wavelet sequence on the device.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "arrays/wavelet/wavelet_sequence_view.hpp"

namespace gsx::cuda {

// One thread per query, asynchronous. Numbers have 32 or 64 bits; of 32, all values and the size of
// the sequence are below 2^32 - 1. Cost: one dependent gather of 32 bytes per digit of a code, and
// loads from tables of the symbols, which caches hold. Pre: what WaveletSequenceView asks of each
// query. Throws DeviceError.

/// d_values[k] = the value at d_positions[k].
template <class Number>
void access_async(const WaveletSequenceView& d_sequence, const Number* d_positions,
                  std::uint64_t count, Number* d_values, cudaStream_t stream);

/// d_ranks[k] = occurrences of d_values[k] before d_positions[k]; 0 of a value that does not occur.
template <class Number>
void rank_async(const WaveletSequenceView& d_sequence, const Number* d_values,
                const Number* d_positions, std::uint64_t count, Number* d_ranks,
                cudaStream_t stream);

/// d_positions[k] = place of the d_values[k] with d_numbers[k] of them before it; the largest
/// number where there is none.
template <class Number>
void select_async(const WaveletSequenceView& d_sequence, const Number* d_values,
                  const Number* d_numbers, std::uint64_t count, Number* d_positions,
                  cudaStream_t stream);

}  // namespace gsx::cuda
