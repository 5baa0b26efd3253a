// Rank, access and select over arrays of integers of any alphabet.
#pragma once

#include <cstdint>
#include <span>

#include "arrays/wavelet/wavelet_sequence.hpp"
#include "base/export.hpp"

namespace gsx {

// <gsx/device_wavelet.cuh>, of a build with CUDA, has the same sequences and queries on a GPU.

/// Writes the value at positions[k] to values[k]. One at a time is sequence.view().access().
/// `threads` is 0 for as many as this process may run. Throws UsageError for a position outside the
/// sequence, and if the spans differ in size. Cost: one cache line per digit of a code, for 32
/// queries at the same time.
GSX_API void access(const WaveletSequence& sequence, std::span<const std::uint64_t> positions,
                    std::span<std::uint64_t> values, int threads = 0);

/// Writes how often values[k] occurs before positions[k] to ranks[k]; 0 for a value that does not
/// occur. Throws UsageError for a position beyond the end of the sequence, and if the spans differ
/// in size. Cost: as access(), and a search among the distinct values where these are far apart.
GSX_API void rank(const WaveletSequence& sequence, std::span<const std::uint64_t> values,
                  std::span<const std::uint64_t> positions, std::span<std::uint64_t> ranks,
                  int threads = 0);

/// Writes the position of the occurrence of values[k] that has numbers[k] before it to
/// positions[k]; WaveletSequenceView::not_found, the largest number, where there is none. Throws
/// UsageError if the spans differ in size. Cost: as rank(), with some two cache lines per digit.
GSX_API void select(const WaveletSequence& sequence, std::span<const std::uint64_t> values,
                    std::span<const std::uint64_t> numbers, std::span<std::uint64_t> positions,
                    int threads = 0);

}  // namespace gsx
