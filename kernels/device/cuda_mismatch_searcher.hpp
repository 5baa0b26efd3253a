// Searches with mismatches on the GPU, in the way that costs least.
#pragma once

#include <memory>

#include "kernels/search/mismatches/cuda_scan_searcher.hpp"
#include "kernels/search/mismatches/cuda_seed_searcher.hpp"
#include "kernels/search/sites/cuda_site_searcher.hpp"
#include "search/mismatches/cheapest_searcher.hpp"

namespace gsx::cuda {

/// The scan of the GPU; keys, which for hundreds of short patterns cost far less than a scan for
/// each; tables of PAM sites, if they may take memory; and where there is an index, its seeds. The
/// last two leave to the scan what they do not suit.
class CudaMismatchSearcher final : public CheapestSearcher {
 public:
  /// Pre: the pool's GPU is current; the text is DNA. Throws ResourceError, DeviceError.
  CudaMismatchSearcher(const MismatchTarget& target, const std::shared_ptr<MemoryPool>& pool,
                       Transfer& transfer, int threads, const SearchMemory& memory) {
    const auto text = std::make_shared<const PlacedText>(target.text, pool, transfer);
    for (const ScanBy by : {ScanBy::planes, ScanBy::keys})
      ways_.push_back(make_scan_searcher(
          text, {.by = by, .threads = threads, .host_hits = memory.hits_at_once}));
    const MismatchWay& scan = *ways_.front();
    if (memory.site_tables != 0) {
      ways_.push_back(
          make_site_searcher(text, scan, {.threads = threads, .host_hits = memory.hits_at_once}));
    }
    if (target.index == nullptr) return;
    ways_.push_back(
        make_seed_searcher(*target.index, pool, transfer, scan,
                           {.threads = threads, .search = {.host_hits = memory.hits_at_once}}));
  }
};

}  // namespace gsx::cuda
