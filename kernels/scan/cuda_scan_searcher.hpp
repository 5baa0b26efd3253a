// Searches with mismatches by reading the whole text on the GPU.
#pragma once

#include <memory>

#include "kernels/runtime/memory_pool.hpp"
#include "kernels/runtime/transfer.hpp"
#include "scan/mismatch_way.hpp"

namespace gsx::cuda {

/// How a scan works; what it finds does not depend on it.
struct ScanOptions {
  int threads = 1;                                        ///< that the GPU saves, for the cost
  std::uint64_t host_hits = SearchMemory().hits_at_once;  ///< in the host's memory, per call
  std::uint64_t range_places = std::uint64_t{1} << 26;  ///< of a pattern with too many hits to sort
};

/// Places the text on the device and scans it there, as ScanSearcher does on the CPU. Each call has
/// a stream of its own. Device memory: the text, and per call up to 30 MB for patterns and counts,
/// and 16 bytes per hit that is held. Pre: the pool's GPU is current; the text is DNA. Throws
/// ResourceError when the text does not fit, DeviceError.
std::unique_ptr<MismatchWay> make_scan_searcher(const TextView& text,
                                                std::shared_ptr<MemoryPool> pool,
                                                Transfer& transfer, const ScanOptions& options);

}  // namespace gsx::cuda
