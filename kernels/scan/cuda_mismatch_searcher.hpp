// Searches with mismatches on the GPU, in the way that costs least.
#pragma once

#include <memory>

#include "kernels/scan/cuda_scan_searcher.hpp"
#include "kernels/scan/cuda_seed_searcher.hpp"
#include "scan/cheapest_searcher.hpp"

namespace gsx::cuda {

/// The scan of the GPU; and where there is an index, its seeds, which leave to that scan what they
/// do not suit.
class CudaMismatchSearcher final : public CheapestSearcher {
 public:
  /// Pre: the pool's GPU is current; the text is DNA. Throws ResourceError, DeviceError.
  CudaMismatchSearcher(const MismatchTarget& target, const std::shared_ptr<MemoryPool>& pool,
                       Transfer& transfer, int threads, const SearchMemory& memory) {
    ways_.push_back(make_scan_searcher(target.text, pool, transfer,
                                       {.threads = threads, .host_hits = memory.hits_at_once}));
    if (target.index == nullptr) return;
    const MismatchWay& scan = *ways_.front();
    ways_.push_back(
        make_seed_searcher(*target.index, pool, transfer, scan,
                           {.threads = threads, .search = {.host_hits = memory.hits_at_once}}));
  }
};

}  // namespace gsx::cuda
