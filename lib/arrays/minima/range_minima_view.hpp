// Range minima of an array by a flat hierarchy of minima, for host and device.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "base/host_device.hpp"

namespace gsx {

/// The largest number of an unsigned type. A function would be one of the host only.
template <class Value>
inline constexpr Value largest_value = std::numeric_limits<Value>::max();

/// A level of the hierarchy has one minimum per `fanout` values of the level below; level 0 is the
/// array itself. The top level has at most `fanout` values. Levels lie one after another, each
/// padded with the largest value to whole groups, so that a group of 4-byte values is two sectors
/// of 32 bytes. Beside the minimum, a node knows where it is: as a byte on levels 1 and 2, relative
/// to the node's first value, and as a position above.
///
/// Memory beside n values of w bytes: n / 15 minima and n / 15 bytes, and 8 bytes per 3840 values:
/// 8.4 % of the array for w = 4.
template <class Value>
struct RangeMinimaView {
  static constexpr unsigned shift = 4;
  static constexpr std::uint64_t fanout = std::uint64_t{1} << shift;
  static constexpr std::uint64_t none = ~std::uint64_t{0};

  const Value* values = nullptr;  ///< [size]
  std::uint64_t size = 0;
  const Value* minima = nullptr;       ///< levels 1, 2, ...
  const std::uint8_t* near = nullptr;  ///< levels 1 and 2
  const std::uint64_t* far = nullptr;  ///< levels 3, 4, ...

  /// Number of nodes of a level, and the same in whole groups. Pre: size > 0.
  GSX_HD std::uint64_t nodes(unsigned level) const { return ((size - 1) >> (shift * level)) + 1; }
  GSX_HD std::uint64_t padded(unsigned level) const { return padded_to_groups(nodes(level)); }
  GSX_HD static std::uint64_t padded_to_groups(std::uint64_t count) {
    return (count + fanout - 1) & ~(fanout - 1);
  }

  /// A minimum, and where it is: the first node of this level from `node` on that has it is the
  /// leftmost.
  struct Found {
    Value value;
    unsigned level;
    std::uint64_t node;
  };

  /// The position of the leftmost minimum of values [begin, end). Pre: begin < end <= size. Cost:
  /// two groups per level, up to the level where the range lies in one; one load of a position.
  GSX_HD std::uint64_t leftmost(std::uint64_t begin, std::uint64_t end) const {
    return position(find(begin, end));
  }

  /// The minimum of values [begin, end). Pre: begin < end <= size. Cost: as leftmost(), without the
  /// position.
  GSX_HD Value minimum(std::uint64_t begin, std::uint64_t end) const {
    return find(begin, end).value;
  }

  /// The first half of leftmost(). Climbs from both ends of the range, a group on each side of each
  /// level, to where the groups meet. Of equal minima, the leftmost is on the lowest level on the
  /// left side, and else on the highest one on the right side.
  GSX_HD Found find(std::uint64_t begin, std::uint64_t end) const {
    constexpr Value largest = largest_value<Value>;
    Found left{largest, 0, begin}, right{largest, 0, begin};
    std::uint64_t start = 0;
    for (unsigned level = 0;; ++level) {
      const Value* const from = level_nodes(level, start);
      const std::uint64_t count = level == 0 ? size : padded(level);
      const std::uint64_t low = begin >> shift, high = (end - 1) >> shift;
      const std::uint64_t first = low << shift, last = high << shift;
      const std::uint64_t left_end = low == high ? end : first + fanout;
      const Value left_least =
          group_minimum(from + first, count - first, begin - first, left_end - first);
      if (left_least < left.value) left = {left_least, level, begin};
      if (low == high) break;
      const Value right_least = group_minimum(from + last, count - last, 0, end - last);
      if (right_least <= right.value) right = {right_least, level, last};
      if (low + 1 == high) break;
      begin = low + 1;
      end = high;
      start += level == 0 ? 0 : padded(level);
    }
    return right.value < left.value ? right : left;
  }

  /// The second half: where that minimum is in the array. Cost: one load, of a byte below level 3,
  /// that find() has not made.
  GSX_HD std::uint64_t position(const Found& found) const {
    const std::uint64_t start = level_start(found.level);
    const Value* const from = level_nodes(found.level, start);
    std::uint64_t node = found.node;
    while (from[node] != found.value)
      ++node;
    if (found.level == 0) return node;
    if (found.level <= 2) return (node << (shift * found.level)) + near[start + node];
    return far[start - padded(1) - padded(2) + node];
  }

  /// The largest j < i with values[j] < value, or none. Pre: i <= size. Cost: at most one group per
  /// level upwards and one downwards.
  GSX_HD std::uint64_t previous_below(std::uint64_t i, Value value) const {
    std::uint64_t start = 0;  // of the level in `minima`
    for (unsigned level = 0;; ++level) {
      const Value* const from = level_nodes(level, start);
      if (i == 0) return none;
      for (const std::uint64_t first = (i - 1) & ~(fanout - 1); i > first;) {
        if (from[--i] < value) return descend_right(level, start, i, value);
      }
      i >>= shift;
      start += level == 0 ? 0 : padded(level);
    }
  }

  /// The smallest j >= i with values[j] < value, or none. Pre: i <= size. Cost: as
  /// previous_below().
  GSX_HD std::uint64_t next_below(std::uint64_t i, Value value) const {
    if (i >= size) return none;
    std::uint64_t start = 0;
    for (unsigned level = 0;; ++level) {
      const Value* const from = level_nodes(level, start);
      const std::uint64_t count = nodes(level);
      for (; i < count; ++i) {
        if (from[i] < value) return descend_left(level, start, i, value);
        if ((i & (fanout - 1)) == fanout - 1) break;
      }
      i = (i >> shift) + 1;
      if (i >= nodes(level + 1)) return none;
      start += level == 0 ? 0 : padded(level);
    }
  }

 private:
  GSX_HD const Value* level_nodes(unsigned level, std::uint64_t start) const {
    return level == 0 ? values : minima + start;
  }
  /// Where a level starts in `minima`.
  GSX_HD std::uint64_t level_start(unsigned level) const {
    std::uint64_t start = 0;
    for (unsigned below = 1; below < level; ++below)
      start += padded(below);
    return start;
  }

  /// The minimum of nodes [begin, end) of a group of which `count` nodes can be read, at least end.
  /// Only the last group of the array may be short: all others take a fixed number of steps without
  /// a branch, which suits vectors.
  GSX_HD static Value group_minimum(const Value* group, std::uint64_t count, std::uint64_t begin,
                                    std::uint64_t end) {
    constexpr Value largest = largest_value<Value>;
    Value least = largest;
    if (count < fanout) {
      for (std::uint64_t k = begin; k < end; ++k)
        least = group[k] < least ? group[k] : least;
      return least;
    }
    const auto first = static_cast<Value>(begin), some = static_cast<Value>(end - begin);
    for (unsigned k = 0; k < fanout; ++k) {
      const bool inside = static_cast<Value>(static_cast<Value>(k) - first) < some;
      const Value value = inside ? group[k] : largest;
      least = value < least ? value : least;
    }
    return least;
  }

  /// The last value below `value` in a node that has one, and the first.
  GSX_HD std::uint64_t descend_right(unsigned level, std::uint64_t start, std::uint64_t node,
                                     Value value) const {
    while (level > 0) {
      --level;
      start -= level == 0 ? 0 : padded(level);
      const Value* const from = level_nodes(level, start);
      const std::uint64_t count = nodes(level), behind = (node + 1) << shift;
      node = behind < count ? behind : count;
      do
        --node;
      while (!(from[node] < value));
    }
    return node;
  }
  GSX_HD std::uint64_t descend_left(unsigned level, std::uint64_t start, std::uint64_t node,
                                    Value value) const {
    while (level > 0) {
      --level;
      start -= level == 0 ? 0 : padded(level);
      const Value* const from = level_nodes(level, start);
      node <<= shift;
      while (!(from[node] < value))
        ++node;
    }
    return node;
  }
};
static_assert(std::is_trivially_copyable_v<RangeMinimaView<std::uint32_t>>);

}  // namespace gsx
