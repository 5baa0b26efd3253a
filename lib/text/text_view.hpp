// The text of an index as queries and kernels see it: packed symbols and segment boundaries.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/host_device.hpp"
#include "base/packed.hpp"

namespace gsx {

/// Where segments lie in the text. Segment k is [starts[k], starts[k + 1] - 1), and its separator
/// is at starts[k + 1] - 1; starts[count] is the length of the text. first[c] is the number of
/// segments whose separator lies before position c << shift, which narrows the search for a
/// position's segment.
/// Memory: 8 bytes per segment and at most 8 more for `first`; nothing per base.
struct SegmentsView {
  const std::uint64_t* starts = nullptr;  ///< [count + 1]
  const std::uint64_t* first = nullptr;   ///< [(length >> shift) + 2]
  std::uint64_t count = 0;
  std::uint32_t shift = 0;

  GSX_HD std::uint64_t length() const { return starts[count]; }

  /// The segment that holds text position p or ends with the separator at p. Pre: p < length().
  /// Cost: binary search among the segments of one chunk, O(1) expected.
  GSX_HD std::uint64_t segment_at(std::uint64_t p) const {
    std::uint64_t low = first[p >> shift];
    std::uint64_t high = first[(p >> shift) + 1];
    if (high >= count) high = count - 1;
    while (low < high) {  // find the first segment whose separator is at p or after it
      const std::uint64_t middle = (low + high) / 2;
      if (starts[middle + 1] - 1 < p) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
  /// Position of the first separator in [p, length()). Pre: p < length().
  GSX_HD std::uint64_t separator_from(std::uint64_t p) const {
    return starts[segment_at(p) + 1] - 1;
  }
  /// Whether a segment starts at p. If so, a separator or nothing precedes p.
  GSX_HD bool starts_at(std::uint64_t p) const { return starts[segment_at(p)] == p; }
};
static_assert(std::is_trivially_copyable_v<SegmentsView>);

/// The segments of all records in order, as codes, each closed by its own separator. Separators are
/// smaller than every symbol and ordered by position; in `symbols` they are code 0. The length n
/// counts the separators.
struct TextView {
  PackedView symbols;
  SegmentsView segments;
  std::uint32_t sigma = 0;  ///< number of codes

  GSX_HD std::uint64_t length() const { return symbols.size; }
};
static_assert(std::is_trivially_copyable_v<TextView>);

}  // namespace gsx
