// How the levels of a hierarchy of range minima are filled, for host and device.
#pragma once

#include <cstdint>

#include "arrays/minima/range_minima_view.hpp"
#include "base/host_device.hpp"

namespace gsx {

/// The memory that the levels of a hierarchy take, in elements. Nothing for arrays that one group
/// holds.
template <class Value>
struct MinimaSizes {
  std::uint64_t minima = 0;
  std::uint64_t near = 0;
  std::uint64_t far = 0;

  explicit MinimaSizes(std::uint64_t size) {
    RangeMinimaView<Value> view;
    view.size = size;
    for (unsigned level = 1; size > view.fanout && view.nodes(level - 1) > view.fanout; ++level) {
      minima += view.padded(level);
      if (level <= 2) near = minima;
    }
    far = minima - near;
  }
};

/// A hierarchy whose levels are being filled, from the bottom to the top.
template <class Value>
struct MinimaLevels {
  RangeMinimaView<Value> view;
  Value* minima = nullptr;
  std::uint8_t* near = nullptr;
  std::uint64_t* far = nullptr;

  /// Fills a node of a level, which starts at `start`. Pre: the level below is filled.
  GSX_HD void fill(unsigned level, std::uint64_t start, std::uint64_t node) const {
    note(level, start, node, fill_minimum(level, start, node));
  }
  /// Writes the minimum of a node, as fill(), but not where it is. Returns which of the node's
  /// children has it.
  GSX_HD unsigned fill_minimum(unsigned level, std::uint64_t start, std::uint64_t node) const {
    constexpr std::uint64_t fanout = RangeMinimaView<Value>::fanout;
    const std::uint64_t below = level == 1 ? 0 : start - view.padded(level - 1);
    const std::uint64_t first = node << view.shift, left = view.nodes(level - 1) - first;
    const Value* const group = (level == 1 ? view.values : minima + below) + first;
    const unsigned least =
        left >= fanout ? least_of_group(group) : least_of(group, static_cast<unsigned>(left));
    minima[start + node] = group[least];
    return least;
  }

  /// What stands behind the last node of a level, up to a whole group.
  GSX_HD void pad(std::uint64_t start, std::uint64_t node) const {
    minima[start + node] = largest_value<Value>;
  }

 private:
  GSX_HD static unsigned least_of(const Value* group, unsigned size) {
    unsigned least = 0;
    for (unsigned k = 1; k < size; ++k)
      least = group[k] < group[least] ? k : least;
    return least;
  }
  /// least_of() of a whole group: the compiler knows the number of steps.
  GSX_HD static unsigned least_of_group(const Value* group) {
    constexpr unsigned fanout = RangeMinimaView<Value>::fanout;
    Value least = group[0];
    for (unsigned k = 1; k < fanout; ++k)
      least = group[k] < least ? group[k] : least;
    unsigned equal = 0;
    for (unsigned k = 0; k < fanout; ++k)
      equal |= static_cast<unsigned>(group[k] == least) << k;
    return lowest_bit32(equal);
  }

  /// Keeps where the minimum of a node is: in child `least`.
  GSX_HD void note(unsigned level, std::uint64_t start, std::uint64_t node, unsigned least) const {
    const std::uint64_t below = level == 1 ? 0 : start - view.padded(level - 1);
    const std::uint64_t child = (node << view.shift) + least;
    if (level == 1) {
      near[node] = static_cast<std::uint8_t>(least);
    } else if (level == 2) {
      near[start + node] = static_cast<std::uint8_t>((least << view.shift) + near[child]);
    } else {
      const std::uint64_t lower = view.padded(1) + view.padded(2);
      far[start - lower + node] = level == 3 ? (child << (2 * view.shift)) + near[below + child]
                                             : far[below - lower + child];
    }
  }
};

}  // namespace gsx
