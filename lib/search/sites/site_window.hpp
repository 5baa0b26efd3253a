// Finds the sites of a PAM at 64 places of a text: what one thread of a GPU looks at.
#pragma once

#include <cstdint>

#include "search/mismatches/place_window.hpp"
#include "search/sites/site_key.hpp"
#include "search/sites/site_shape.hpp"

namespace gsx {

/// A shape of sites as a value, for kernels.
struct SitePam {
  static constexpr std::uint32_t most_length = PlaceWindow::reach;

  std::uint32_t length = 0;  ///< bases of a site
  std::uint32_t guide = 0;   ///< bases of its guide
  /// By strand: where the guide begins, and the positions that not every base matches.
  std::uint32_t guide_offset[2] = {};
  std::uint32_t needed[2] = {};
  std::uint8_t offset[2][most_length] = {};
  BaseSet set[2][most_length] = {};

  SitePam() = default;
  /// Pre: shape.length() <= most_length.
  explicit SitePam(const SiteShape& shape);
};

/// 64 lanes of two words from lane `shift` on. Pre: shift < 64.
GSX_HD std::uint64_t lanes_from64(std::uint64_t word, std::uint64_t next, std::uint32_t shift) {
  return shift == 0 ? word : word >> shift | next << (64 - shift);
}

/// Which of 64 places are sites: bit i of a strand stands for place begin + i.
struct SiteWindow {
  std::uint64_t sites[2];

  /// Pre: begin is a multiple of PlaceWindow::places, and in the text.
  GSX_HD void load(const TextView& text, const SitePam& pam, std::uint64_t begin) {
    PlaceWindow window;
    window.load(text.symbols, begin);
    const std::uint64_t lower[] = {join(window.lower[0], window.lower[1]),
                                   join(window.lower[2], window.lower[3])};
    const std::uint64_t upper[] = {join(window.upper[0], window.upper[1]),
                                   join(window.upper[2], window.upper[3])};
    std::uint64_t inside = ~std::uint64_t{0};
    WindowBorders borders;
    if (borders.load(text.segments, begin)) {
      std::uint32_t excluded[2];
      borders.exclude(pam.length, excluded[0], excluded[1]);
      inside = ~join(excluded[0], excluded[1]);
    }
    for (int strand = 0; strand < 2; ++strand) {
      std::uint64_t found = inside;
      for (std::uint32_t i = 0; i < pam.needed[strand]; ++i) {
        const std::uint32_t shift = pam.offset[strand][i];
        const BaseSet set = pam.set[strand][i];
        const std::uint64_t low = lanes_from64(lower[0], lower[1], shift);
        const std::uint64_t high = lanes_from64(upper[0], upper[1], shift);
        found &= (has_base(set, 0) ? ~high & ~low : 0) | (has_base(set, 1) ? ~high & low : 0) |
                 (has_base(set, 2) ? high & ~low : 0) | (has_base(set, 3) ? high & low : 0);
      }
      sites[strand] = found;
    }
  }

  GSX_HD std::uint32_t count() const { return popcount64(sites[0]) + popcount64(sites[1]); }

  /// Calls take(place, reverse, key) for each site, in output order.
  template <class Take>
  GSX_HD void for_each(const TextView& text, const SitePam& pam, std::uint64_t begin,
                       const Take& take) const {
    for (std::uint64_t left = sites[0] | sites[1]; left != 0; left &= left - 1) {
      const std::uint32_t i = lowest_bit64(left);
      for (std::uint32_t strand = 0; strand < 2; ++strand) {
        if ((sites[strand] >> i & 1) == 0) continue;
        const std::uint64_t place = begin + i;
        take(place, strand != 0,
             site_key(text.symbols, place + pam.guide_offset[strand], strand != 0, pam.guide));
      }
    }
  }

 private:
  GSX_HD static std::uint64_t join(std::uint32_t low, std::uint32_t high) {
    return std::uint64_t{high} << 32 | low;
  }
};

}  // namespace gsx
