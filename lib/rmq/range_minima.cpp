#include "rmq/range_minima.hpp"

#include <algorithm>

#include "base/bits.hpp"
#include "base/parallel.hpp"
#include "machine/machine.hpp"
#include "rmq/minima_levels.hpp"

namespace gsx {
namespace {

/// Fills the levels of a hierarchy from the bottom to the top.
template <class Value>
class LevelBuilder {
 public:
  explicit LevelBuilder(const MinimaLevels<Value>& levels) : levels_(levels) {}

  /// Levels 1 to 3 of tasks of 2^16 values share nothing; the levels above are small.
  void build(int threads) const {
    constexpr unsigned parallel_levels = 3, task_shift = 16;
    const RangeMinimaView<Value>& view = levels_.view;
    const std::uint64_t tasks = divide_up(view.size, std::uint64_t{1} << task_shift);
    parallel_for(threads, tasks, [&](std::uint64_t task, int) {
      std::uint64_t start = 0;
      for (unsigned level = 1; level <= parallel_levels && view.nodes(level - 1) > view.fanout;
           ++level) {
        const std::uint64_t nodes = view.nodes(level), width = task_shift - view.shift * level;
        fill(level, start, std::min(nodes, task << width), std::min(nodes, (task + 1) << width));
        start += view.padded(level);
      }
    });
    std::uint64_t start = 0;
    for (unsigned level = 1; view.nodes(level - 1) > view.fanout; ++level) {
      if (level > parallel_levels) fill(level, start, 0, view.nodes(level));
      for (std::uint64_t node = view.nodes(level); node < view.padded(level); ++node)
        levels_.pad(start, node);
      start += view.padded(level);
    }
  }

 private:
  void fill(unsigned level, std::uint64_t start, std::uint64_t begin, std::uint64_t end) const {
    for (std::uint64_t node = begin; node < end; ++node)
      levels_.fill(level, start, node);
  }

  MinimaLevels<Value> levels_;
};

}  // namespace

template <class Value>
RangeMinima<Value>::RangeMinima(std::span<const Value> values, int threads) {
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
  LevelBuilder<Value>({view_, minima_.data(), near_.data(), far_.data()})
      .build(threads_for(threads));
}

template class RangeMinima<std::uint8_t>;
template class RangeMinima<std::uint16_t>;
template class RangeMinima<std::uint32_t>;
template class RangeMinima<std::uint64_t>;

}  // namespace gsx
