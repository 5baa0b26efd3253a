// Every tuned number of the suffix array builders.
#pragma once

#include <cstdint>

namespace gsx::sa_tuning {

inline constexpr std::uint64_t slices_per_thread = 64;
inline constexpr std::uint64_t split_slices_per_thread = 4;
inline constexpr std::uint64_t placing_slices_per_thread = 16;
inline constexpr int bucket_size_bits = 12;
inline constexpr int most_bucket_bits = 16;
inline constexpr std::uint64_t record_limit = std::uint64_t{1} << 15;
inline constexpr std::uint64_t batch_records = std::uint64_t{1} << 12;
inline constexpr int most_bin_bits = 11;
inline constexpr std::uint64_t insertion_limit = 20;
inline constexpr std::uint64_t keys_ahead = 16;
inline constexpr std::uint64_t wide_range = std::uint64_t{1} << 17;
inline constexpr std::size_t splitters = 127;
inline constexpr std::size_t samples_per_splitter = 8;
inline constexpr std::size_t pivot_samples = 127;
inline constexpr double keys_per_symbol = 0.4;
inline constexpr std::uint64_t least_keys = 4;
inline constexpr std::uint64_t syncmers_first = 4;
inline constexpr std::uint64_t syncmers_never = 64;
inline constexpr std::uint64_t few_groups = 16;
inline constexpr std::uint64_t least_bstar_share = 5;
inline constexpr std::uint64_t least_tandem_group = 1024;
inline constexpr std::uint64_t tandem_samples = 64;
inline constexpr std::uint32_t mer_bits = 24;
inline constexpr std::uint32_t window_of_dna = 32;
inline constexpr std::uint32_t window_of_others = 16;
inline constexpr std::uint64_t contexts_ahead = 48;
inline constexpr std::uint64_t parallel_induction_rows = std::uint64_t{1} << 16;
inline constexpr std::uint64_t induction_block_rows = std::uint64_t{1} << 15;
inline constexpr std::uint64_t samples_per_part = 64;
inline constexpr std::uint64_t most_blocks = 64;
inline constexpr std::uint64_t least_rows_of_block = std::uint64_t{1} << 16;

}  // namespace gsx::sa_tuning
