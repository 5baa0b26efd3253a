// The table of leading symbols by which the neighbours of keys are found on the device.
#pragma once

#include <cstdint>

#include "kernels/base/device_buffer.hpp"
#include "kernels/search/sets/set_tuning.hpp"
#include "search/sets/neighbor_table.hpp"
#include "search/sets/sequence_set.hpp"

namespace gsx::cuda {

/// Most buckets of a table, and most keys of one that are compared one by one.
struct NeighborTableLimits {
  std::uint64_t buckets = tuning::neighbor_buckets;
  std::uint32_t scanned = tuning::scanned_neighbors;
};

/// The table of a set whose keys lie on the device.
template <unsigned Words>
class NeighborTable {
 public:
  /// Of `table`, in which the neighbours of keys of `asked` will be looked for; both may be the
  /// same. Takes at most a quarter of the memory that is left. Waits. Throws UsageError if keys do
  /// not ascend or are not of their shape; ResourceError, DeviceError. Pre: the keys, which must
  /// outlive this, are of one shape, and fewer than 2^31. Cost: two passes over the keys, and two
  /// over the table.
  NeighborTable(const SequenceSetView<Words>& d_asked, const SequenceSetView<Words>& d_table,
                const NeighborTableLimits& limits, DeviceStream stream);

  /// Valid while this lives.
  const NeighborTableView<Words>& view() const { return view_; }
  std::uint64_t bytes() const { return starts_.bytes(); }

 private:
  NeighborTableView<Words> view_;
  DeviceBuffer<std::uint32_t> starts_;
};

}  // namespace gsx::cuda
