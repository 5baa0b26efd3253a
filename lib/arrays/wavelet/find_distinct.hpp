// Finds the distinct values of an array.
#pragma once

#include <cstdint>
#include <span>

#include "arrays/wavelet/distinct_values.hpp"

namespace gsx {

/// Whether the numbers of an array's values are in a table, given its largest value: where that is
/// below 2^16, or below twice the number of elements.
bool numbers_in_table(std::uint64_t largest, std::uint64_t size);

/// Throws UsageError for as many distinct values as 32 bits do not number.
void require_numbered(std::uint64_t distinct);

/// Throws UsageError for more than 2^32 - 1 distinct values, ResourceError. Cost: one pass if the
/// largest value is below 2^16, or below twice the number of elements; otherwise a sort. Memory: 4
/// bytes per value up to the largest; otherwise a copy of the array, and 16 bytes per distinct
/// value.
template <class Value>
DistinctValues find_distinct(std::span<const Value> array, int threads);

}  // namespace gsx
