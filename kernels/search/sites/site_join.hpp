// Guides on the device, and their comparison with the sites of a table.
#pragma once

#include <array>
#include <cstdint>

#include "kernels/base/device_buffer.hpp"
#include "kernels/search/mismatches/record_finder.hpp"
#include "kernels/search/sites/site_table.hpp"
#include "search/sites/site_groups.hpp"

namespace gsx::cuda {

/// Guides of one shape, and which sites are near them, ready to be compared with tables.
/// Memory: 28 bytes per guide.
class DeviceGuides {
 public:
  /// Copies the guides to the device, sorts them by the buckets of tables with buckets of `half`
  /// bases, and waits. Pre: mismatches <= SiteLookup::most_mismatches, fewer than 2^31 guides.
  /// Throws ResourceError, DeviceError.
  DeviceGuides(const SiteGroup& group, std::uint32_t half, std::uint32_t mismatches,
               Strands strands, DeviceStream stream);

  /// From so many guides on, those of one bucket are compared together.
  static constexpr std::uint32_t usual_many = 1 << 16;

  /// Adds the sites of a table that begin in a range and are near to these guides. Asynchronous:
  /// the table must live until the stream has been synchronised. Throws DeviceError.
  void find_async(const DeviceSiteTable& table, const PlaceRange& range, const ScanResult& result,
                  std::uint32_t many, DeviceStream stream) const;

 private:
  struct Half {
    SiteSplit split;
    DeviceBuffer<std::uint32_t> buckets;
    DeviceBuffer<std::uint32_t> order;
    DeviceBuffer<std::uint32_t> neighbours;
  };
  void sort_async(Half& half, DeviceStream stream) const;

  std::uint32_t count_;
  std::uint32_t mismatches_;
  std::uint32_t first_most_;
  Strands strands_;
  DeviceBuffer<std::uint64_t> keys_;
  DeviceBuffer<std::uint32_t> patterns_;
  std::array<Half, 2> halves_;
};

}  // namespace gsx::cuda
