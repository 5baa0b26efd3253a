// Neighbours of sets in host memory, found on the device.
#pragma once

#include "kernels/base/device_link.hpp"
#include "kernels/search/sets/neighbor_table.hpp"
#include "search/sets/neighbors.hpp"

namespace gsx::cuda {

struct CudaNeighborOptions {
  NeighborTableLimits table = {};
  std::uint64_t pairs_at_once = tuning::pairs_to_host;  ///< most on the device
};

/// Holds the keys on the device while it searches, and as many pairs at a time as there is room
/// for there.
class CudaNeighborFinder final : public NeighborFinder {
 public:
  /// The link must outlive this.
  explicit CudaNeighborFinder(DeviceLink& link, const CudaNeighborOptions& options = {})
      : link_(link), options_(options) {}

  void find(const SequenceSet& first, const SequenceSet* second, const NeighborRequest& request,
            const NeighborOptions& options, const TakeNeighbors& take) override;

 private:
  DeviceLink& link_;
  CudaNeighborOptions options_;
};

}  // namespace gsx::cuda
