// A table of the sites of a PAM on the device.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kernels/base/device_buffer.hpp"
#include "search/sites/site_join.hpp"
#include "search/sites/site_parts.hpp"
#include "search/sites/site_window.hpp"

namespace gsx::cuda {

/// Slices of a text, of `slice_places` places each, with the number of sites that start in each.
/// Waits. Pre: slice_places is a multiple of 2048. Throws ResourceError, DeviceError. Cost: one
/// pass over the text.
std::vector<SitePart> count_sites(const TextView& d_text, const SitePam& pam,
                                  std::uint64_t slice_places, DeviceStream stream);

/// All sites of a PAM in a part of a text, twice: in buckets by the first `half` bases of the guide
/// and in buckets by the last ones.
/// Memory: 16 bytes per site and 16 * 4^half; 41 per site while it is built.
class DeviceSiteTable {
 public:
  static constexpr std::uint64_t most_places = std::uint64_t{1} << 32;
  static constexpr std::uint64_t most_sites = std::uint64_t{1} << 31;

  /// Waits. Pre: `part` begins at a multiple of PlaceWindow::places, has at most most_places places
  /// and at most most_sites sites, and its number of sites is right. Throws ResourceError,
  /// DeviceError. Cost: for each half one pass over the text, and a radix sort of the sites.
  DeviceSiteTable(const TextView& d_text, const SitePam& pam, const SitePart& part,
                  std::uint32_t half, DeviceStream stream);

  /// Bytes while a table of so many sites is built, at most.
  static std::uint64_t bytes_to_build(std::uint64_t sites, std::uint32_t half);

  const SitePart& part() const { return part_; }
  SiteSplit split(bool last) const { return {guide_, half_, last}; }
  SiteHalfView of(bool last) const {
    const Half& half = halves_[last ? 1 : 0];
    return {half.offsets.data(), half.rest.data(), half.places.data()};
  }

 private:
  struct Half {
    DeviceBuffer<std::uint32_t> offsets;
    DeviceBuffer<std::uint32_t> rest;
    DeviceBuffer<std::uint32_t> places;
  };
  Half sort_async(const TextView& d_text, const SitePam& pam, bool last, DeviceStream stream) const;

  SitePart part_;
  std::uint32_t guide_;
  std::uint32_t half_;
  std::array<Half, 2> halves_;
};

}  // namespace gsx::cuda
