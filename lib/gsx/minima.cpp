#include "gsx/minima.hpp"

#include <string>

#include "arrays/minima/nearest_smaller.hpp"
#include "arrays/minima/range_queries.hpp"
#include "base/cpu_path.hpp"
#include "base/error.hpp"
#include "base/machine.hpp"
#include "base/public_call.hpp"

namespace gsx {
namespace {

template <class Value, class Position>
void find_smaller(std::span<const Value> values, std::span<Position> left,
                  std::span<Position> right, const SmallerRules& rules, int threads) {
  if (!left.empty()) require_size(left.size(), values.size(), "left neighbours");
  if (!right.empty()) require_size(right.size(), values.size(), "right neighbours");
  if (values.size() > no_position<Position>)
    throw UsageError("positions of 32 bits are too small for " + std::to_string(values.size()) +
                     " values; use 64");
  with_gsx_errors(
      [&] { nearest_smaller(values, rules, left, right, threads_for(threads, values.size())); });
}

}  // namespace

#define GSX_NEAREST_SMALLER(Value, Position)                                                \
  void nearest_smaller(std::span<const Value> values, std::span<Position> left,             \
                       std::span<Position> right, const SmallerRules& rules, int threads) { \
    find_smaller(values, left, right, rules, threads);                                      \
  }
GSX_NEAREST_SMALLER(std::uint8_t, std::uint32_t)
GSX_NEAREST_SMALLER(std::uint8_t, std::uint64_t)
GSX_NEAREST_SMALLER(std::uint16_t, std::uint32_t)
GSX_NEAREST_SMALLER(std::uint16_t, std::uint64_t)
GSX_NEAREST_SMALLER(std::uint32_t, std::uint32_t)
GSX_NEAREST_SMALLER(std::uint32_t, std::uint64_t)
GSX_NEAREST_SMALLER(std::uint64_t, std::uint32_t)
GSX_NEAREST_SMALLER(std::uint64_t, std::uint64_t)
#undef GSX_NEAREST_SMALLER

template <class Value>
void leftmost_minima(const RangeMinima<Value>& minima, std::span<const ValueRange> ranges,
                     std::span<std::uint64_t> positions, int threads) {
  require_size(positions.size(), ranges.size(), "positions");
  const std::uint64_t size = minima.view().size;
  for (std::size_t k = 0; k < ranges.size(); ++k) {
    const ValueRange& range = ranges[k];
    if (range.begin < range.end && range.end <= size) continue;
    throw UsageError("range " + std::to_string(k) + ", [" + std::to_string(range.begin) + ", " +
                     std::to_string(range.end) + "), holds no value of " + std::to_string(size) +
                     ", or reaches beyond them");
  }
  with_gsx_errors([&] {
    leftmost_minima(minima.view(), ranges, positions, threads_for(threads), best_cpu_path());
  });
}

template void leftmost_minima(const RangeMinima<std::uint8_t>&, std::span<const ValueRange>,
                              std::span<std::uint64_t>, int);
template void leftmost_minima(const RangeMinima<std::uint16_t>&, std::span<const ValueRange>,
                              std::span<std::uint64_t>, int);
template void leftmost_minima(const RangeMinima<std::uint32_t>&, std::span<const ValueRange>,
                              std::span<std::uint64_t>, int);
template void leftmost_minima(const RangeMinima<std::uint64_t>&, std::span<const ValueRange>,
                              std::span<std::uint64_t>, int);

}  // namespace gsx
