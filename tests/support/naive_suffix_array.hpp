// The suffix order by definition: the reference for the tests of every builder.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "text/text_view.hpp"

namespace gsx::testing {

/// Whether the suffix at a is smaller than the suffix at b, symbol by symbol; separators are
/// smaller than symbols and ordered by position. Cost: O(length of their common prefix).
inline bool suffix_less(const TextView& text, std::uint64_t a, std::uint64_t b) {
  if (a == b) return false;
  const std::uint64_t end_a = text.segments.separator_from(a);
  const std::uint64_t end_b = text.segments.separator_from(b);
  for (; a < end_a && b < end_b; ++a, ++b) {
    if (text.symbols[a] != text.symbols[b]) return text.symbols[a] < text.symbols[b];
  }
  if (a == end_a && b == end_b) return a < b;
  return a == end_a;
}

/// All positions of the text in suffix order. Cost: O(n log n) comparisons.
inline std::vector<std::uint64_t> naive_suffix_array(const TextView& text) {
  std::vector<std::uint64_t> sa(text.length());
  std::iota(sa.begin(), sa.end(), std::uint64_t{0});
  std::sort(sa.begin(), sa.end(),
            [&](std::uint64_t a, std::uint64_t b) { return suffix_less(text, a, b); });
  return sa;
}

}  // namespace gsx::testing
