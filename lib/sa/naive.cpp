#include "sa/naive.hpp"

#include <algorithm>
#include <numeric>

namespace gsx {

bool suffix_less(const TextView& text, std::uint64_t a, std::uint64_t b) {
  if (a == b) return false;
  const std::uint64_t end_a = text.segments.separator_from(a);
  const std::uint64_t end_b = text.segments.separator_from(b);
  for (; a < end_a && b < end_b; ++a, ++b) {
    if (text.symbols[a] != text.symbols[b]) return text.symbols[a] < text.symbols[b];
  }
  if (a == end_a && b == end_b) return a < b;
  return a == end_a;
}

std::vector<std::uint64_t> naive_suffix_array(const TextView& text) {
  std::vector<std::uint64_t> rows(text.length());
  std::iota(rows.begin(), rows.end(), std::uint64_t{0});
  std::sort(rows.begin(), rows.end(),
            [&](std::uint64_t a, std::uint64_t b) { return suffix_less(text, a, b); });
  return rows;
}

}  // namespace gsx
