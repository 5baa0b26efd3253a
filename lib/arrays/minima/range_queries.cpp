#include "arrays/minima/range_queries.hpp"

#include <algorithm>

#include "base/bits.hpp"
#include "base/compiled_for.hpp"
#include "base/parallel.hpp"

namespace gsx {
namespace {

/// Ranges whose memory is fetched at the same time.
constexpr std::uint64_t in_flight = 32;

/// Begins to fetch what find(begin, end) reads first: its ends on the levels that are large.
template <class Value>
void prefetch(const RangeMinimaView<Value>& minima, std::uint64_t begin, std::uint64_t end) {
  constexpr unsigned shift = RangeMinimaView<Value>::shift, large_levels = 3;
  std::uint64_t start = 0;
  --end;
  for (unsigned level = 0; level < large_levels; ++level) {
    const Value* const from = level == 0 ? minima.values : minima.minima + start;
    __builtin_prefetch(from + begin);
    __builtin_prefetch(from + end);
    if (begin >> shift == end >> shift) return;
    begin >>= shift;
    end >>= shift;
    start += level == 0 ? 0 : minima.padded(level);
  }
}

/// Ranges [first, last).
template <class Value>
void answer(const RangeMinimaView<Value>& minima, const ValueRange* ranges,
            std::uint64_t* positions, std::uint64_t first, std::uint64_t last) {
  typename RangeMinimaView<Value>::Found found[in_flight];
  for (; first < last; first += in_flight) {
    const std::uint64_t some = std::min(in_flight, last - first);
    for (std::uint64_t k = 0; k < some; ++k)
      prefetch(minima, ranges[first + k].begin, ranges[first + k].end);
    for (std::uint64_t k = 0; k < some; ++k) {
      found[k] = minima.find(ranges[first + k].begin, ranges[first + k].end);
      if (found[k].level == 1) __builtin_prefetch(minima.near + found[k].node);
    }
    for (std::uint64_t k = 0; k < some; ++k)
      positions[first + k] = minima.position(found[k]);
  }
}

}  // namespace

template <class Value>
void leftmost_minima(const RangeMinimaView<Value>& minima, std::span<const ValueRange> ranges,
                     std::span<std::uint64_t> positions, int threads, CpuPath path) {
  constexpr std::uint64_t task = std::uint64_t{1} << 12;
  const auto work = compiled_for<answer<Value>>(path);
  parallel_for(threads, divide_up(ranges.size(), task), [&](std::uint64_t t, int) {
    work(minima, ranges.data(), positions.data(), t * task,
         std::min<std::uint64_t>(ranges.size(), (t + 1) * task));
  });
}

#define GSX_LEFTMOST_MINIMA(Value)                                                                 \
  template void leftmost_minima<Value>(const RangeMinimaView<Value>&, std::span<const ValueRange>, \
                                       std::span<std::uint64_t>, int, CpuPath);
GSX_LEFTMOST_MINIMA(std::uint8_t)
GSX_LEFTMOST_MINIMA(std::uint16_t)
GSX_LEFTMOST_MINIMA(std::uint32_t)
GSX_LEFTMOST_MINIMA(std::uint64_t)
#undef GSX_LEFTMOST_MINIMA

}  // namespace gsx
