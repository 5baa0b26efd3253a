#include "gsx/arrays.hpp"

#include <string>

#include "arrays/minima/nearest_smaller.hpp"
#include "arrays/minima/range_queries.hpp"
#include "arrays/packing/pack.hpp"
#include "arrays/wavelet/query_checks.hpp"
#include "arrays/wavelet/wavelet_queries.hpp"
#include "base/cpu_path.hpp"
#include "base/error.hpp"
#include "base/machine.hpp"
#include "base/public_call.hpp"

namespace gsx::arrays {

#define GSX_PUBLIC_PACK(Value)                                                                    \
  std::uint32_t bits_needed(std::span<const Value> values, int threads) {                         \
    return with_gsx_errors(                                                                       \
        [&] { return gsx::bits_needed<Value>(values, threads_for(threads, values.size())); });    \
  }                                                                                               \
  PackedArray pack(std::span<const Value> values, std::uint32_t bits, int threads) {              \
    return with_gsx_errors(                                                                       \
        [&] { return gsx::pack<Value>(values, bits, threads_for(threads, values.size())); });     \
  }                                                                                               \
  InterleavedArray pack_interleaved(std::span<const Value> values, std::uint32_t bits,            \
                                    int threads) {                                                \
    return with_gsx_errors([&] {                                                                  \
      return gsx::pack_interleaved<Value>(values, bits, threads_for(threads, values.size()),      \
                                          best_cpu_path());                                       \
    });                                                                                           \
  }                                                                                               \
  void unpack(const PackedView& packed, std::uint64_t first, std::span<Value> out, int threads) { \
    with_gsx_errors([&] {                                                                         \
      gsx::unpack<Value>(packed, first, out, threads_for(threads, out.size()), best_cpu_path());  \
    });                                                                                           \
  }                                                                                               \
  void unpack(const InterleavedView& packed, std::uint64_t first, std::span<Value> out,           \
              int threads) {                                                                      \
    with_gsx_errors([&] {                                                                         \
      gsx::unpack<Value>(packed, first, out, threads_for(threads, out.size()), best_cpu_path());  \
    });                                                                                           \
  }
GSX_PUBLIC_PACK(std::uint8_t)
GSX_PUBLIC_PACK(std::uint16_t)
GSX_PUBLIC_PACK(std::uint32_t)
GSX_PUBLIC_PACK(std::uint64_t)
#undef GSX_PUBLIC_PACK

namespace {

template <class Value, class Position>
void find_smaller(std::span<const Value> values, std::span<Position> left,
                  std::span<Position> right, const SmallerRules& rules, int threads) {
  if (!left.empty()) require_size(left.size(), values.size(), "left neighbours");
  if (!right.empty()) require_size(right.size(), values.size(), "right neighbours");
  if (values.size() > no_position<Position>)
    throw UsageError("positions of 32 bits are too small for " + std::to_string(values.size()) +
                     " values; use 64");
  with_gsx_errors([&] {
    gsx::nearest_smaller(values, rules, left, right, threads_for(threads, values.size()));
  });
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

void access(const WaveletSequence& sequence, std::span<const std::uint64_t> positions,
            std::span<std::uint64_t> values, int threads) {
  require_access(sequence.size(), positions, values);
  with_gsx_errors([&] {
    access_many(sequence.view(), positions, values, threads_for(threads), best_cpu_path());
  });
}

void rank(const WaveletSequence& sequence, std::span<const std::uint64_t> values,
          std::span<const std::uint64_t> positions, std::span<std::uint64_t> ranks, int threads) {
  require_rank(sequence.size(), values, positions, ranks);
  with_gsx_errors([&] {
    rank_many(sequence.view(), values, positions, ranks, threads_for(threads), best_cpu_path());
  });
}

void select(const WaveletSequence& sequence, std::span<const std::uint64_t> values,
            std::span<const std::uint64_t> numbers, std::span<std::uint64_t> positions,
            int threads) {
  require_select(values, numbers, positions);
  with_gsx_errors([&] {
    select_many(sequence.view(), values, numbers, positions, threads_for(threads), best_cpu_path());
  });
}

}  // namespace gsx::arrays
