// The strands of a batch of patterns that a scan looks for.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "search/mismatches/mismatches.hpp"

namespace gsx {

/// Calls take(pattern, sets, reverse) for each strand that is asked for of each pattern that can
/// be, short patterns first: strands of like length are compared together. Pre: fewer than 2^32
/// patterns.
template <class Take>
void for_each_strand(const SetPatterns& patterns, const MismatchRequest& request,
                     const Take& take) {
  std::vector<std::uint32_t> order(patterns.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return patterns[a].size() < patterns[b].size();
  });
  for (const std::uint32_t i : order) {
    if (!can_be_asked(patterns[i], request.mismatches)) continue;
    if (request.strands != Strands::reverse) take(i, patterns[i], false);
    if (request.strands != Strands::forward) take(i, reverse_complement_of(patterns[i]), true);
  }
}

}  // namespace gsx
