// Makes the maximal matches of a query of those of its strands.
#pragma once

#include <cstddef>
#include <span>

#include "search/matches/matches.hpp"

namespace gsx {

/// Merges the matches of two strands, both in the coordinates of the query and in order. A match
/// inside one of the other strand is none; equal ones are one, with both counts.
///
/// next_forward() and next_reverse() give the next matches of a strand, some at a time, or none at
/// the end; what they give must stay until they are called again. take(match) takes a match.
/// Cost: one pass.
template <class NextForward, class NextReverse, class Take>
void merge_strands(const NextForward& next_forward, const NextReverse& next_reverse,
                   const Take& take) {
  std::span<const MaximalMatch> forward = next_forward(), reverse = next_reverse();
  std::size_t f = 0, r = 0;
  const auto has = [](std::span<const MaximalMatch>& some, std::size_t& i, const auto& next) {
    if (i == some.size() && !some.empty()) {
      some = next();
      i = 0;
    }
    return i < some.size();
  };
  for (;;) {
    const bool has_forward = has(forward, f, next_forward),
               has_reverse = has(reverse, r, next_reverse);
    if (!has_forward && !has_reverse) return;
    if (!has_forward || !has_reverse) {
      take(has_forward ? forward[f++] : reverse[r++]);
      continue;
    }
    // Of two that neither contains, the one that begins first also ends first, so it lies in none
    // of those that follow; nor did it lie in one before.
    const MaximalMatch& a = forward[f];
    const MaximalMatch& b = reverse[r];
    if (a.begin == b.begin && a.length == b.length) {
      take(MaximalMatch{a.begin, a.length, {a.counts.forward, b.counts.reverse}});
      ++f;
      ++r;
    } else if (a.contains(b)) {
      ++r;
    } else if (b.contains(a)) {
      ++f;
    } else if (a.begin < b.begin) {
      take(a);
      ++f;
    } else {
      take(b);
      ++r;
    }
  }
}

}  // namespace gsx
