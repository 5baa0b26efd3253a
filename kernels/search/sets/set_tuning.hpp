// The numbers that measurement chooses for sets of sequences, as tuning.hpp has them for the rest.
#pragma once

#include <cstdint>

namespace gsx::cuda::tuning {

/// Most buckets of the table by which neighbours are found (1 GiB of it), and keys of a bucket that
/// are compared without a search among them.
inline constexpr std::uint64_t neighbor_buckets = std::uint64_t{1} << 28;
inline constexpr std::uint32_t scanned_neighbors = 16;
/// Most pairs on the device at a time on their way to the host.
inline constexpr std::uint64_t pairs_to_host = std::uint64_t{1} << 28;

}  // namespace gsx::cuda::tuning
