// Many queries to a wavelet sequence at once.
#pragma once

#include <cstdint>
#include <span>

#include "arrays/wavelet/wavelet_sequence_view.hpp"
#include "base/cpu_path.hpp"

namespace gsx {

/// Writes the value at each position. Pre, as of the others: the spans are of one size, and each
/// query is one that WaveletSequenceView takes. Cost: as there; 32 queries wait for memory at the
/// same time.
void access_many(const WaveletSequenceView& sequence, std::span<const std::uint64_t> positions,
                 std::span<std::uint64_t> values, int threads, CpuPath path);

/// Writes how often each value occurs before the position beside it.
void rank_many(const WaveletSequenceView& sequence, std::span<const std::uint64_t> values,
               std::span<const std::uint64_t> positions, std::span<std::uint64_t> ranks,
               int threads, CpuPath path);

/// Writes the position of the occurrence of each value that has as many before it as the number
/// beside it says; WaveletSequenceView::not_found where there is none.
void select_many(const WaveletSequenceView& sequence, std::span<const std::uint64_t> values,
                 std::span<const std::uint64_t> numbers, std::span<std::uint64_t> positions,
                 int threads, CpuPath path);

}  // namespace gsx
