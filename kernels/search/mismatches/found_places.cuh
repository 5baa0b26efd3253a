// What threads do with a place that they have found.
#pragma once

#include <cstdint>

#include "kernels/search/mismatches/record_finder.hpp"

namespace gsx::cuda {

__device__ inline void add(std::uint64_t* sum, std::uint64_t number) {
  atomicAdd(reinterpret_cast<unsigned long long*>(sum), static_cast<unsigned long long>(number));
}

/// The counts of a strand of a pattern, by number of mismatches, of which there are up to `most`.
__device__ inline std::uint64_t* counts_of(const ScanResult& result, std::uint32_t pattern,
                                           bool reverse, std::uint32_t most) {
  return result.counts + (std::uint64_t{pattern} * 2 + (reverse ? 1 : 0)) * (most + 1);
}

/// Lists a hit, if hits are listed, and it is wanted and has room.
__device__ inline void list_hit(const ScanResult& result, std::uint32_t pattern,
                                std::uint64_t position, bool reverse, std::uint32_t mismatches) {
  if (result.hits == nullptr) return;
  if (result.fewer_than != nullptr && mismatches >= result.fewer_than[pattern]) return;
  const std::uint64_t at = atomicAdd(reinterpret_cast<unsigned long long*>(result.hit_count), 1ull);
  if (at >= result.room) return;
  result.hits[at] = HitRecord(pattern, position, reverse, mismatches).value();
}

}  // namespace gsx::cuda
