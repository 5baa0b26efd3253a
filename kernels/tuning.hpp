// Every number that was chosen by measurement, in one place.
#pragma once

#include <cstdint>

namespace gsx::cuda::tuning {

/// Threads a block for kernels of one thread an element.
inline constexpr unsigned block_threads = 256;

/// Text positions a block scans when it collects the suffixes of a batch.
inline constexpr unsigned tile_positions = 4096;

/// Leading bits of keys by which suffixes are divided into batches.
inline constexpr unsigned prefix_bits = 12;

/// Most batches; each costs one scan of the text.
inline constexpr unsigned max_batches = 64;

/// Bits of the first sort's keys, length code included: a radix sort pass takes 8.
inline constexpr unsigned first_key_bits = 56;

/// Suffixes that are sorted at once when memory allows: large enough to fill the device, small
/// enough that the sort's buffers stay a fraction of a genome.
inline constexpr std::uint64_t batch_suffixes = std::uint64_t{1} << 29;

/// Rounds of fetching text before ranks double.
inline constexpr unsigned text_rounds = 12;

}  // namespace gsx::cuda::tuning
