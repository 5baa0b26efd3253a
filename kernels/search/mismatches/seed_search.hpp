// Places of patterns with mismatches, from where their pieces match exactly, on the device.
#pragma once

#include <cstdint>

#include "kernels/search/exact/search.hpp"
#include "kernels/search/mismatches/record_finder.hpp"
#include "search/mismatches/seed_patterns.hpp"

namespace gsx::cuda {

/// What find_places_async() works with, beside its arguments.
struct SeedLists {
  std::uint32_t* d_jobs;      ///< [jobs.count]
  std::uint32_t* d_counters;  ///< [2], zero
};

/// Compares with the text each place where a piece occurs: d_found[j] tells where the strand of a
/// piece does, for job j, as search_async() leaves it. Adds those with at most `most` mismatches to
/// the result, each once. `seeds` is in device memory. Asynchronous. Sets *d_fault when the index
/// leads outside itself. Cost: an access to the suffix array and one to the text per row. Throws
/// DeviceError.
template <class Pos>
void find_places_async(const SearchView<Pos>& index, const SeedsView& seeds, const Jobs& jobs,
                       const Found<Pos>* d_found, std::uint32_t most, const ScanResult& result,
                       const SeedLists& lists, std::uint32_t* d_fault, DeviceStream stream);

}  // namespace gsx::cuda
