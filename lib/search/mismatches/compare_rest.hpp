// Compares what a bit-sliced scan leaves of long patterns.
#pragma once

#include <cstdint>

#include "search/mismatches/base_set.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// Compares the positions of a pattern of `length` from `reach` on, whose sets are `rest`, with the
/// place at `position`, and adds their mismatches. Whether the place ends in its segment and has at
/// most `most` mismatches. Pre: position < text.length(), length > reach. Cost: up to a nanosecond
/// per position, until there are too many mismatches.
GSX_HD bool compare_rest(const TextView& text, std::uint64_t position, std::uint64_t length,
                         std::uint64_t reach, const BaseSet* rest, std::uint32_t most,
                         std::uint32_t& mismatches) {
  if (length > text.segments.separator_from(position) - position) return false;
  for (std::uint64_t i = reach; i < length; ++i) {
    const BaseSet set = rest[i - reach];
    if (has_base(set, static_cast<std::uint32_t>(text.symbols[position + i]))) continue;
    if (is_strict(set) || ++mismatches > most) return false;
  }
  return true;
}

}  // namespace gsx
