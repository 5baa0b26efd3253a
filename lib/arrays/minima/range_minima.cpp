#include "arrays/minima/range_minima.hpp"

#include <algorithm>

#include "arrays/minima/minima_levels.hpp"
#include "base/bits.hpp"
#include "base/machine.hpp"
#include "base/parallel.hpp"

namespace gsx {
namespace {

/// Levels that parts of fill_unit values fill without each other; those above are small.
constexpr unsigned part_levels = 3;

}  // namespace

template <class Value>
RangeMinima<Value>::RangeMinima(std::span<const Value> values, int threads)
    : RangeMinima(values, Unfilled()) {
  parallel_for(
      threads_for(threads), divide_up(values.size(), fill_unit), [&](std::uint64_t part, int) {
        fill(part * fill_unit, std::min<std::uint64_t>((part + 1) * fill_unit, values.size()));
      });
  finish();
}

template <class Value>
RangeMinima<Value>::RangeMinima(std::span<const Value> values, Unfilled) {
  view_.values = values.data();
  view_.size = values.size();
  if (values.size() <= RangeMinimaView<Value>::fanout) return;
  const MinimaSizes<Value> sizes(values.size());
  minima_ = Buffer<Value>(sizes.minima, "range minima");
  near_ = Buffer<std::uint8_t>(sizes.near, "range minima");
  far_ = Buffer<std::uint64_t>(sizes.far, "range minima");
  view_.minima = minima_.data();
  view_.near = near_.data();
  view_.far = far_.data();
}

template <class Value>
void RangeMinima<Value>::fill(std::uint64_t begin, std::uint64_t end) {
  std::uint64_t start = 0;
  for (unsigned level = 1; level <= part_levels && view_.nodes(level - 1) > view_.fanout; ++level) {
    const std::uint64_t stop =
        end == view_.size ? view_.nodes(level) : end >> (view_.shift * level);
    fill_level(level, start, begin >> (view_.shift * level), stop);
    start += view_.padded(level);
  }
}

template <class Value>
void RangeMinima<Value>::finish() {
  const MinimaLevels<Value> levels{view_, minima_.data(), near_.data(), far_.data()};
  std::uint64_t start = 0;
  for (unsigned level = 1; view_.nodes(level - 1) > view_.fanout; ++level) {
    if (level > part_levels) fill_level(level, start, 0, view_.nodes(level));
    for (std::uint64_t node = view_.nodes(level); node < view_.padded(level); ++node)
      levels.pad(start, node);
    start += view_.padded(level);
  }
}

/// Fills nodes [begin, end) of a level, which starts at `start`.
template <class Value>
void RangeMinima<Value>::fill_level(unsigned level, std::uint64_t start, std::uint64_t begin,
                                    std::uint64_t end) {
  const MinimaLevels<Value> levels{view_, minima_.data(), near_.data(), far_.data()};
  for (std::uint64_t node = begin; node < end; ++node)
    levels.fill(level, start, node);
}

template class RangeMinima<std::uint8_t>;
template class RangeMinima<std::uint16_t>;
template class RangeMinima<std::uint32_t>;
template class RangeMinima<std::uint64_t>;

}  // namespace gsx
