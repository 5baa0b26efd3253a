// Parts of a text whose sites fit a table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "search/mismatches/place_range.hpp"

namespace gsx {

/// A part of the text, and how many sites start in it.
struct SitePart {
  PlaceRange starts;
  std::uint64_t sites = 0;
};

/// Slices [first, last) in a row, and the part that they make.
struct SliceRun {
  std::size_t first = 0;
  std::size_t last = 0;
  SitePart part;
};

/// Joins slices of a text, which are in order, to as few parts as fit. A part is at least one
/// slice, whether that fits or not.
std::vector<SliceRun> join_slices(std::span<const SitePart> slices,
                                  const std::function<bool(const SitePart&)>& fits);

}  // namespace gsx
