// Searches with mismatches on the GPU, in the way that costs least.
#pragma once

#include <memory>

#include "kernels/scan/cuda_scan_searcher.hpp"
#include "scan/cheapest_searcher.hpp"
#include "scan/seed_searcher.hpp"

namespace gsx::cuda {

/// The scan of the GPU; and where there is an index, seeds, which leave to that scan what they do
/// not suit.
class CudaMismatchSearcher final : public CheapestSearcher {
 public:
  /// Pre: the pool's GPU is current; the text is DNA. Throws ResourceError, DeviceError.
  CudaMismatchSearcher(const MismatchTarget& target, const std::shared_ptr<MemoryPool>& pool,
                       Transfer& transfer, int threads, const SearchMemory& memory) {
    ways_.push_back(make_scan_searcher(target.text, pool, transfer,
                                       {.threads = threads, .host_hits = memory.hits_at_once}));
    if (target.index == nullptr) return;
    const MismatchWay& scan = *ways_.front();
    ways_.push_back(std::make_unique<SeedSearcher>(*target.index, scan, memory, best_cpu_path()));
  }
};

}  // namespace gsx::cuda
