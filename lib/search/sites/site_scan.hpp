// Finds the sites of a PAM in a packed text, 28 places per step.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "search/mismatches/place_range.hpp"
#include "search/sites/site_key.hpp"
#include "search/sites/site_shape.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// Which bases of a window of a text belong to a set: bit 62 - 2i tells it of base i.
constexpr std::uint64_t bases_in(std::uint64_t window, BaseSet set) {
  const std::uint64_t low = window, high = window >> 1;
  std::uint64_t found = 0;
  if (has_base(set, 0)) found |= ~high & ~low;
  if (has_base(set, 1)) found |= ~high & low;
  if (has_base(set, 2)) found |= high & ~low;
  if (has_base(set, 3)) found |= high & low;
  return found & 0x5555555555555555;
}

/// Finds the sites of one PAM. Separators are no problem: only places inside a segment are looked
/// at.
class SiteScan {
 public:
  SiteScan(const TextView& text, const SiteShape& shape) : text_(text), shape_(shape) {
    for (const bool reverse : {false, true}) {
      for (std::uint64_t i = 0; i < shape.pam.size(); ++i) {
        const BaseSet set =
            reverse ? complement_of(shape.pam[shape.pam.size() - 1 - i]) : shape.pam[i];
        if (set == base_sets::any) continue;
        pam_[reverse].push_back({shape.pam_offset(reverse) + i, set});
      }
    }
  }

  /// The number of sites whose places start in the range.
  std::uint64_t count(PlaceRange range) const {
    std::uint64_t found = 0;
    for_each_window(range, [&](std::uint64_t, std::uint64_t forward, std::uint64_t reverse) {
      found += static_cast<std::uint64_t>(std::popcount(forward) + std::popcount(reverse));
    });
    return found;
  }

  /// Calls take(start, reverse) for each site whose place starts in the range, in output order. The
  /// guide may have any length.
  template <class Take>
  void for_each_start(PlaceRange range, const Take& take) const {
    for_each_window(range, [&](std::uint64_t p, std::uint64_t forward, std::uint64_t reverse) {
      for (std::uint64_t left = forward | reverse; left != 0;) {
        const auto zeros = static_cast<std::uint32_t>(std::countl_zero(left));
        const std::uint64_t bit = std::uint64_t{1} << (63 - zeros);
        left ^= bit;
        if ((forward & bit) != 0) take(p + zeros / 2, false);
        if ((reverse & bit) != 0) take(p + zeros / 2, true);
      }
    });
  }

  /// Calls take(start, reverse, key) for each site whose place starts in the range, in output
  /// order. The key is that of the guide which it matches (guide_key()).
  template <class Take>
  void for_each(PlaceRange range, const Take& take) const {
    const std::uint64_t before[] = {shape_.guide_offset(false), shape_.guide_offset(true)};
    const std::uint32_t bases = shape_.guide;
    for_each_window(range, [&](std::uint64_t p, std::uint64_t forward, std::uint64_t reverse) {
      for (std::uint64_t left = forward | reverse; left != 0;) {
        const auto zeros = static_cast<std::uint32_t>(std::countl_zero(left));
        const std::uint64_t bit = std::uint64_t{1} << (63 - zeros);
        const std::uint64_t start = p + zeros / 2;
        left ^= bit;
        if ((forward & bit) != 0)
          take(start, false, site_key(text_.symbols, start + before[0], false, bases));
        if ((reverse & bit) != 0)
          take(start, true, site_key(text_.symbols, start + before[1], true, bases));
      }
    });
  }

 private:
  struct Needed {
    std::uint64_t offset;  ///< in the place
    BaseSet set;
  };
  static constexpr std::uint64_t step = 28;  ///< a window of 2 bits holds 29 for sure

  std::uint64_t sites_at(std::uint64_t p, const std::vector<Needed>& pam) const {
    std::uint64_t found = 0x5555555555555555;
    for (const Needed& needed : pam)
      found &= bases_in(text_.symbols.window(p + needed.offset), needed.set);
    return found;
  }

  /// Calls take(p, forward, reverse) with the sites of each strand that start from p on, as
  /// bases_in() gives them.
  template <class Take>
  void for_each_window(PlaceRange range, const Take& take) const {
    if (range.begin >= range.end) return;
    const SegmentsView& segments = text_.segments;
    for (std::uint64_t s = segments.segment_at(range.begin);
         s < segments.count && segments.starts[s] < range.end; ++s) {
      const std::uint64_t separator = segments.starts[s + 1] - 1;
      if (separator < segments.starts[s] + shape_.length()) continue;
      const std::uint64_t end = std::min(range.end, separator - shape_.length() + 1);
      for (std::uint64_t p = std::max(range.begin, segments.starts[s]); p < end; p += step) {
        const std::uint64_t places = std::min(step, end - p);
        const std::uint64_t mask = ~std::uint64_t{0} << (64 - 2 * places);
        take(p, sites_at(p, pam_[0]) & mask, sites_at(p, pam_[1]) & mask);
      }
    }
  }

  TextView text_;
  const SiteShape& shape_;
  std::vector<Needed> pam_[2];  ///< positions of the PAM that not every base matches, by strand
};

}  // namespace gsx
