// Longest prefixes of queries on the device.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "search/sets/prefix_view.hpp"

namespace gsx::cuda {

/// Writes to d_found[k] the longest entry that is a prefix of query k, as d_indexes[entry], or
/// PrefixSetView::none. Query k has d_set.words() words at d_queries + k * words(), as
/// leading_bases() packs it: d_lengths[k] bases, of which what is beyond the longest entry is
/// passed over, and 0 behind them. Asynchronous. Throws DeviceError. Cost: the query, and two or
/// three random sectors of the tables.
void longest_prefixes_async(const PrefixSetView& d_set, const std::uint32_t* d_indexes,
                            const std::uint64_t* d_queries, const std::uint32_t* d_lengths,
                            std::uint64_t count, std::uint32_t* d_found, cudaStream_t stream);

}  // namespace gsx::cuda
