// Searches with mismatches by reading the whole text on the GPU.
#pragma once

#include <memory>

#include "kernels/search/mismatches/placed_text.hpp"
#include "search/mismatches/mismatch_way.hpp"
#include "search/mismatches/scan_searcher.hpp"

namespace gsx::cuda {

/// How a scan works; what it finds does not depend on it.
struct ScanOptions {
  ScanBy by = ScanBy::planes;
  int threads = 1;                                        ///< that the GPU saves, for the cost
  std::uint64_t host_hits = SearchMemory().hits_at_once;  ///< in the host's memory, per call
  std::uint64_t range_places = std::uint64_t{1} << 26;  ///< of a pattern with too many hits to sort
};

/// Scans a text on the device as ScanSearcher does on the CPU. Each call has a stream of its own.
/// Device memory: per call up to 50 MB for patterns and counts, and 16 bytes per hit that is held.
/// By keys: the tables, which take about as much as the hits in the host's memory and about a
/// quarter of what is free on the device, at most; for more patterns, the text is read again. Pre:
/// the text is DNA.
std::unique_ptr<MismatchWay> make_scan_searcher(std::shared_ptr<const PlacedText> text,
                                                const ScanOptions& options);

}  // namespace gsx::cuda
