#include "rmq/range_minima.hpp"

#include <algorithm>
#include <limits>

#include "base/bits.hpp"
#include "base/parallel.hpp"
#include "machine/machine.hpp"

namespace gsx {
namespace {

/// Fills the levels of a hierarchy from the bottom to the top.
template <class Value>
class LevelBuilder {
  using View = RangeMinimaView<Value>;
  static constexpr std::uint64_t fanout = View::fanout;
  static constexpr unsigned shift = View::shift;

 public:
  LevelBuilder(const View& view, Value* minima, std::uint8_t* near, std::uint64_t* far)
      : view_(view), minima_(minima), near_(near), far_(far) {}

  /// Levels 1 to 3 of tasks of 2^16 values share nothing; the levels above are small.
  void build(int threads) const {
    constexpr unsigned parallel_levels = 3, task_shift = 16;
    const std::uint64_t tasks = divide_up(view_.size, std::uint64_t{1} << task_shift);
    parallel_for(threads, tasks, [&](std::uint64_t task, int) {
      std::uint64_t start = 0;
      for (unsigned level = 1; level <= parallel_levels && view_.nodes(level - 1) > fanout;
           ++level) {
        const std::uint64_t nodes = view_.nodes(level), width = task_shift - shift * level;
        fill(level, start, std::min(nodes, task << width), std::min(nodes, (task + 1) << width));
        start += view_.padded(level);
      }
    });
    std::uint64_t start = 0;
    for (unsigned level = 1; view_.nodes(level - 1) > fanout; ++level) {
      if (level > parallel_levels) fill(level, start, 0, view_.nodes(level));
      pad(level, start);
      start += view_.padded(level);
    }
  }

 private:
  /// Nodes [begin, end) of a level, which starts at `start`.
  void fill(unsigned level, std::uint64_t start, std::uint64_t begin, std::uint64_t end) const {
    const std::uint64_t below = level == 1 ? 0 : start - view_.padded(level - 1);
    const Value* const from = level == 1 ? view_.values : minima_ + below;
    const std::uint64_t count = view_.nodes(level - 1);
    for (std::uint64_t node = begin; node < end; ++node) {
      const std::uint64_t first = node << shift;
      const std::uint64_t size = std::min(fanout, count - first);
      const unsigned least =
          size == fanout ? least_of_group(from + first) : least_of(from + first, size);
      minima_[start + node] = from[first + least];
      note(level, start, below, node, least);
    }
  }

  static unsigned least_of(const Value* group, std::uint64_t size) {
    unsigned least = 0;
    for (unsigned k = 1; k < size; ++k)
      least = group[k] < group[least] ? k : least;
    return least;
  }
  /// The same with a number of steps that the compiler knows.
  static unsigned least_of_group(const Value* group) {
    Value least = group[0];
    for (unsigned k = 1; k < fanout; ++k)
      least = std::min(least, group[k]);
    unsigned equal = 0;
    for (unsigned k = 0; k < fanout; ++k)
      equal |= static_cast<unsigned>(group[k] == least) << k;
    return lowest_bit32(equal);
  }

  /// Keeps where the minimum of a node is: in child `least`.
  void note(unsigned level, std::uint64_t start, std::uint64_t below, std::uint64_t node,
            unsigned least) const {
    const std::uint64_t child = (node << shift) + least;
    if (level == 1) {
      near_[node] = static_cast<std::uint8_t>(least);
    } else if (level == 2) {
      near_[start + node] = static_cast<std::uint8_t>((least << shift) + near_[child]);
    } else {
      const std::uint64_t lower = view_.padded(1) + view_.padded(2);
      far_[start - lower + node] =
          level == 3 ? (child << (2 * shift)) + near_[below + child] : far_[below - lower + child];
    }
  }

  void pad(unsigned level, std::uint64_t start) const {
    std::fill(minima_ + start + view_.nodes(level), minima_ + start + view_.padded(level),
              std::numeric_limits<Value>::max());
  }

  View view_;
  Value* minima_;
  std::uint8_t* near_;
  std::uint64_t* far_;
};

}  // namespace

template <class Value>
RangeMinima<Value>::RangeMinima(std::span<const Value> values, int threads) {
  view_.values = values.data();
  view_.size = values.size();
  if (values.size() <= RangeMinimaView<Value>::fanout) return;
  std::uint64_t all = 0, lower = 0;
  for (unsigned level = 1; view_.nodes(level - 1) > RangeMinimaView<Value>::fanout; ++level) {
    all += view_.padded(level);
    if (level <= 2) lower = all;
  }
  minima_ = Buffer<Value>(all, "range minima");
  near_ = Buffer<std::uint8_t>(lower, "range minima");
  far_ = Buffer<std::uint64_t>(all - lower, "range minima");
  view_.minima = minima_.data();
  view_.near = near_.data();
  view_.far = far_.data();
  LevelBuilder<Value>(view_, minima_.data(), near_.data(), far_.data()).build(threads_for(threads));
}

template class RangeMinima<std::uint8_t>;
template class RangeMinima<std::uint16_t>;
template class RangeMinima<std::uint32_t>;
template class RangeMinima<std::uint64_t>;

}  // namespace gsx
