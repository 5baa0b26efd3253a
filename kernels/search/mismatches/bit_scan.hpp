// Bit-sliced scan on the device: looks for many patterns at each place of a text at once.
#pragma once

#include <cstdint>

#include "kernels/base/device_buffer.hpp"
#include "kernels/search/mismatches/record_finder.hpp"
#include "search/mismatches/sliced_strands.hpp"
#include "text/text_view.hpp"

namespace gsx::cuda {

/// Strands of patterns on the device.
class DeviceStrands {
 public:
  /// Copies from the host and waits. Throws ResourceError, DeviceError.
  DeviceStrands(const SlicedStrands& host, DeviceStream stream);

  const SlicedStrand* strands() const { return strands_.data(); }
  const SlicedTile* tiles() const { return tiles_.data(); }
  std::uint32_t tile_count() const { return static_cast<std::uint32_t>(tiles_.size()); }
  const PositionMasks* masks() const { return masks_.data(); }
  const BaseSet* rest() const { return rest_.data(); }

 private:
  DeviceBuffer<SlicedStrand> strands_;
  DeviceBuffer<SlicedTile> tiles_;
  DeviceBuffer<PositionMasks> masks_;
  DeviceBuffer<BaseSet> rest_;
};

/// Adds the places of the strands with at most `most` mismatches. The range begins at a multiple of
/// PlaceWindow::places. Asynchronous. Throws DeviceError.
/// Cost: about 6.5 operations per strand, position and 32 places.
void scan_async(const TextView& d_text, const PlaceRange& range, const DeviceStrands& strands,
                std::uint32_t most, const ScanResult& result, DeviceStream stream);

}  // namespace gsx::cuda
