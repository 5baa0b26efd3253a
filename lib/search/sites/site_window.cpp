#include "search/sites/site_window.hpp"

namespace gsx {

SitePam::SitePam(const SiteShape& shape)
    : length(static_cast<std::uint32_t>(shape.length())), guide(shape.guide) {
  const std::size_t size = shape.pam.size();
  for (const bool reverse : {false, true}) {
    guide_offset[reverse] = static_cast<std::uint32_t>(shape.guide_offset(reverse));
    for (std::size_t i = 0; i < size; ++i) {
      const BaseSet wanted = reverse ? complement_of(shape.pam[size - 1 - i]) : shape.pam[i];
      if (wanted == base_sets::any) continue;
      const std::uint32_t at = needed[reverse]++;
      offset[reverse][at] = static_cast<std::uint8_t>(shape.pam_offset(reverse) + i);
      set[reverse][at] = wanted;
    }
  }
}

}  // namespace gsx
