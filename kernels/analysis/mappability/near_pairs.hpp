// Pairs of places that share a seed, and the windows that are near one another by them.
#pragma once

#include <cstdint>

#include "kernels/analysis/mappability/near_counts.hpp"
#include "kernels/analysis/mappability/near_rows.hpp"

namespace gsx::cuda {

/// Adds to the counts what the pairs of rows of a batch tell, and closes what is full now and then:
/// rows that saturate early spare the rest of the work.
///
/// A warp takes 32 rows, and for each lane's row the partners one after another; in a large group
/// all lanes read the same one. What the symbols beside a seed do not rule out waits in shared
/// memory until there is one for each lane to look at.
/// Memory: less than a byte per row. Cost: 10 ps per pair on an H100 by estimate, and 0.5 ns for
/// each of those that are not ruled out.
class NearPairs {
 public:
  NearPairs(const BothStrandsView& d_text, const NearWindows& windows, DeviceNearCounts& counts,
            DeviceStream stream)
      : text_(d_text), windows_(windows), counts_(counts), stream_(stream) {}

  /// Waits for the stream to know the number of pairs, and queues the rest. Throws ResourceError,
  /// DeviceError.
  template <class Pos>
  void add(const NearRowsView<Pos>& rows);

  /// Pairs so far.
  std::uint64_t pairs() const { return pairs_; }

 private:
  BothStrandsView text_;
  NearWindows windows_;
  DeviceNearCounts& counts_;
  DeviceStream stream_;
  std::uint64_t pairs_ = 0;
  std::uint64_t unclosed_ = 0;  ///< pairs since positions were closed, about
};

}  // namespace gsx::cuda
