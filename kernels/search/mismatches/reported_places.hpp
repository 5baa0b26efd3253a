// Which places of patterns are reported, and in which order, on the device.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/search/mismatches/record_finder.hpp"

namespace gsx::cuda {

/// The places of a batch, as a kernel has counted and listed them.
struct CountedPlaces {
  ScanResult found;  ///< whose records, beyond those listed, sort behind all others
  std::uint32_t patterns;
  std::uint32_t mismatches;  ///< at most
};

/// What is reported of each pattern, as in a HitChunk.
struct ReportedPlaces {
  StrandCounts* d_counts;  ///< [patterns]
  std::uint64_t* d_ends;   ///< [patterns]
  Hit* d_hits;             ///< of all patterns
};

/// What report_places_async() works with.
struct ReportMemory {
  std::uint64_t* d_others;      ///< [found.room], for records
  std::uint64_t* d_place_ends;  ///< [patterns]
  void* d_workspace;
  std::size_t workspace_bytes;
};

/// Bytes of a workspace for so many patterns, and room for so many places. Throws DeviceError.
std::size_t report_workspace_bytes(std::uint64_t patterns, std::uint64_t room);

/// Most hits that are reported of `room` places, if a pattern has at most max_hits.
constexpr std::uint64_t most_reported(std::uint64_t patterns, std::uint64_t room,
                                      std::uint64_t max_hits) {
  return max_hits < room / patterns ? patterns * max_hits : room;
}

/// Sorts the places, and of each pattern moves the max_hits with the fewest mismatches, among equal
/// ones the first, to d_hits, in output order. If there are more places than there is room for, the
/// counts and ends are right, but no hits are moved. Asynchronous. Pre: patterns > 0.
/// Cost: a radix sort of all that there is room for, and a pass over what it holds. Throws
/// DeviceError.
void report_places_async(const CountedPlaces& places, std::uint64_t max_hits,
                         const ReportedPlaces& reported, const ReportMemory& memory,
                         DeviceStream stream);

}  // namespace gsx::cuda
