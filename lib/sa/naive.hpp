// The suffix order by definition: the reference for the tests of every builder.
#pragma once

#include <cstdint>
#include <vector>

#include "text/text_view.hpp"

namespace gsx {

/// Whether the suffix at a is smaller than the suffix at b, symbol by symbol; separators are
/// smaller than symbols and ordered by position. Cost: O(length of their common prefix).
bool suffix_less(const TextView& text, std::uint64_t a, std::uint64_t b);

/// All positions of the text in suffix order. Cost: O(n log n) comparisons; for tests.
std::vector<std::uint64_t> naive_suffix_array(const TextView& text);

}  // namespace gsx
