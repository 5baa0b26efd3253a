// Searches with mismatches on the GPU, in the way that costs least.
#pragma once

#include <memory>

#include "kernels/scan/cuda_scan_searcher.hpp"
#include "scan/cheapest_searcher.hpp"

namespace gsx::cuda {

/// The ways of the GPU.
class CudaMismatchSearcher final : public CheapestSearcher {
 public:
  /// Pre: the pool's GPU is current; the text is DNA. Throws ResourceError, DeviceError.
  CudaMismatchSearcher(const MismatchTarget& target, const std::shared_ptr<MemoryPool>& pool,
                       Transfer& transfer, const ScanOptions& options) {
    ways_.push_back(make_scan_searcher(target.text, pool, transfer, options));
  }
};

}  // namespace gsx::cuda
