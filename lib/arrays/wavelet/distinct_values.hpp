// The distinct values of an array, and the number of each element among them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace gsx {

/// The distinct values of an array in ascending order. The number of a value is its index here.
struct DistinctValues {
  std::vector<std::uint64_t> values;
  /// [largest value + 1], or empty where most of that would be in vain: the number of each value,
  /// `absent` for one that does not occur.
  std::vector<std::uint32_t> table;

  static constexpr std::uint32_t absent = ~std::uint32_t{0};

  /// Pre: the array has the value. Cost: one load, or a binary search.
  std::uint32_t number_of(std::uint64_t value) const {
    if (!table.empty()) return table[value];
    return static_cast<std::uint32_t>(std::lower_bound(values.begin(), values.end(), value) -
                                      values.begin());
  }
};

}  // namespace gsx
