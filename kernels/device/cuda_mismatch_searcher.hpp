// Searches with mismatches on the GPU, in the way that costs least.
#pragma once

#include <algorithm>
#include <cstdint>
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
    const std::uint64_t hits = std::min(memory.hits_at_once, most_hits(*pool));
    for (const ScanBy by : {ScanBy::planes, ScanBy::keys})
      ways_.push_back(make_scan_searcher(text, {.by = by, .threads = threads, .host_hits = hits}));
    const MismatchWay& scan = *ways_.front();
    if (memory.site_tables != 0)
      ways_.push_back(make_site_searcher(text, scan, {.threads = threads, .host_hits = hits}));
    if (target.index == nullptr) return;
    ways_.push_back(
        make_seed_searcher(*target.index, pool, transfer, scan,
                           {.threads = threads, .search = {.host_hits = memory.hits_at_once}}));
  }

 private:
  /// A call holds records of a third of its hits, twice while it sorts them: 6 bytes per hit, of
  /// which several calls may take a tenth of what is free each.
  static std::uint64_t most_hits(const MemoryPool& pool) {
    constexpr std::uint64_t least = 1 << 16, share_bytes = 64;
    return std::max(least, pool.available() / share_bytes);
  }
};

}  // namespace gsx::cuda
