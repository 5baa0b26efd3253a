// What the places of guides beside a PAM have in common.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "search/mismatches/base_set.hpp"

namespace gsx {

/// Patterns of one shape: a guide of so many single bases, and a PAM that must match on one side of
/// it. Their places on both strands are the sites of the PAM.
struct SiteShape {
  static constexpr std::uint32_t least_guide = 2;
  static constexpr std::uint32_t most_guide = 28;

  std::vector<BaseSet> pam;  ///< its sets, without must_match; not empty
  bool pam_first = false;    ///< whether it comes before the guide
  std::uint32_t guide = 0;   ///< bases of the guide

  std::uint64_t length() const { return pam.size() + guide; }
  /// Where the guide begins in a place of this strand, from the left.
  std::uint64_t guide_offset(bool reverse) const { return pam_first != reverse ? pam.size() : 0; }
  /// Where the PAM begins in a place of this strand.
  std::uint64_t pam_offset(bool reverse) const { return pam_first != reverse ? 0 : guide; }
  friend bool operator==(const SiteShape&, const SiteShape&) = default;
};

/// The shape of a pattern; none if its positions that must match are not at one end of it, or the
/// others are not single bases, too few, or too many.
std::optional<SiteShape> site_shape_of(std::span<const BaseSet> pattern);

/// The guide of a pattern as a number: 2 bits per base, the last base in the lowest bits. Pre: the
/// pattern has the shape.
std::uint64_t guide_key(std::span<const BaseSet> pattern, const SiteShape& shape);

}  // namespace gsx
