// Nearest smaller values and range minima of any array of unsigned integers.
#pragma once

#include <cstdint>
#include <span>

#include "arrays/minima/no_position.hpp"
#include "arrays/minima/range_minima.hpp"
#include "base/export.hpp"

namespace gsx {

/// Writes for each i the position of the nearest smaller value on the left, the largest j < i with
/// values[j] < values[i], to left[i], and that of the nearest on the right, the smallest j > i, to
/// right[i]; no_position<Position>, the largest number, where there is none. With Smaller::or_equal
/// on a side, equal values count there too. An empty span takes nothing. `threads` is 0 for as many
/// as this process may run. Throws UsageError if a span has another size than `values` and is not
/// empty, or if Position cannot hold the positions; ResourceError.
/// Cost: about 10 ns per value on one thread for values in random order, less for others. Memory:
/// next to nothing for values in random order, 12 bytes per value for sorted ones, and 24 for equal
/// ones on several threads; at most twice as much for 64-bit values or positions.
GSX_API void nearest_smaller(std::span<const std::uint8_t> values, std::span<std::uint32_t> left,
                             std::span<std::uint32_t> right, const SmallerRules& rules = {},
                             int threads = 0);
GSX_API void nearest_smaller(std::span<const std::uint8_t> values, std::span<std::uint64_t> left,
                             std::span<std::uint64_t> right, const SmallerRules& rules = {},
                             int threads = 0);
GSX_API void nearest_smaller(std::span<const std::uint16_t> values, std::span<std::uint32_t> left,
                             std::span<std::uint32_t> right, const SmallerRules& rules = {},
                             int threads = 0);
GSX_API void nearest_smaller(std::span<const std::uint16_t> values, std::span<std::uint64_t> left,
                             std::span<std::uint64_t> right, const SmallerRules& rules = {},
                             int threads = 0);
GSX_API void nearest_smaller(std::span<const std::uint32_t> values, std::span<std::uint32_t> left,
                             std::span<std::uint32_t> right, const SmallerRules& rules = {},
                             int threads = 0);
GSX_API void nearest_smaller(std::span<const std::uint32_t> values, std::span<std::uint64_t> left,
                             std::span<std::uint64_t> right, const SmallerRules& rules = {},
                             int threads = 0);
GSX_API void nearest_smaller(std::span<const std::uint64_t> values, std::span<std::uint32_t> left,
                             std::span<std::uint32_t> right, const SmallerRules& rules = {},
                             int threads = 0);
GSX_API void nearest_smaller(std::span<const std::uint64_t> values, std::span<std::uint64_t> left,
                             std::span<std::uint64_t> right, const SmallerRules& rules = {},
                             int threads = 0);

/// Writes the position of the leftmost minimum of ranges[k] to positions[k]. One range at a time is
/// minima.view().leftmost(). `threads` is 0 for as many as this process may run. Throws UsageError
/// for a range that holds no value or reaches beyond the array, and if the spans differ in size.
/// Cost: on one thread about 0.5 µs per range with random ends in 2^28 values of 32 bits.
template <class Value>
GSX_API void leftmost_minima(const RangeMinima<Value>& minima, std::span<const ValueRange> ranges,
                             std::span<std::uint64_t> positions, int threads = 0);

extern template void leftmost_minima(const RangeMinima<std::uint8_t>&, std::span<const ValueRange>,
                                     std::span<std::uint64_t>, int);
extern template void leftmost_minima(const RangeMinima<std::uint16_t>&, std::span<const ValueRange>,
                                     std::span<std::uint64_t>, int);
extern template void leftmost_minima(const RangeMinima<std::uint32_t>&, std::span<const ValueRange>,
                                     std::span<std::uint64_t>, int);
extern template void leftmost_minima(const RangeMinima<std::uint64_t>&, std::span<const ValueRange>,
                                     std::span<std::uint64_t>, int);

}  // namespace gsx
