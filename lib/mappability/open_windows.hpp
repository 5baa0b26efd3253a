// Which windows of a text may still be added to.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "mappability/near_stretch.hpp"
#include "text/both_strands.hpp"

namespace gsx {

/// A bit per position: whether the count of the window that begins there has not reached the cap.
/// Memory: 1 bit per position.
struct OpenWindows {
  const std::uint64_t* bits = nullptr;
  std::uint64_t size = 0;

  /// Whether a position of [begin, end) is open; what lies outside the text is not.
  /// Cost: a load per 64 positions.
  GSX_HD bool any_open(std::int64_t begin, std::int64_t end) const {
    const std::uint64_t first = begin < 0 ? 0 : static_cast<std::uint64_t>(begin);
    std::uint64_t behind = end < 0 ? 0 : static_cast<std::uint64_t>(end);
    if (behind > size) behind = size;
    if (first >= behind) return false;
    const std::uint64_t last = behind - 1;
    std::uint64_t word = bits[first / 64] >> first % 64 << first % 64;
    for (std::uint64_t at = first / 64; at < last / 64; word = bits[++at]) {
      if (word != 0) return true;
    }
    return word << (63 - last % 64) != 0;
  }

  /// Whether a window of k symbols is open that has a symbol beside the stretch
  /// [p, p + length): what makes it differ from the windows of another place.
  GSX_HD bool any_beside(std::int64_t k, std::uint64_t p, std::uint64_t length) const {
    const auto begin = static_cast<std::int64_t>(p),
               end = begin + static_cast<std::int64_t>(length);
    return any_open(begin - k, begin) || any_open(end + 1 - k, end + 1);
  }
};

/// Calls add(begin, end) for the windows in the first half of the text, those that begin at
/// positions [begin, end), that get one more by positions p and q: `length` symbols are equal from
/// there on, and no more. Each two windows are found by one pair of positions only. Where all are
/// closed, none need be found.
/// Pre: the symbols before p and q differ, or a segment begins at either.
/// Cost: the bits of both places, and where any is open that of StretchPlaces.
template <class Add>
GSX_HD void add_near_windows(const BothStrandsView& text, const NearWindows& windows,
                             const OpenWindows& open, std::uint64_t p, std::uint64_t q,
                             std::uint64_t length, const Add& add) {
  const bool p_forward = text.is_forward(p), q_forward = text.is_forward(q);
  if (!(p_forward && open.any_beside(windows.k, p, length)) &&
      !(q_forward && open.any_beside(windows.k, q, length)))
    return;
  const StretchPlaces places(text.text, windows, p, q, length);
  places.for_each_windows(windows, [&](std::int64_t begin, std::int64_t end) {
    if (p_forward) add(p + static_cast<std::uint64_t>(begin), p + static_cast<std::uint64_t>(end));
    if (q_forward) add(q + static_cast<std::uint64_t>(begin), q + static_cast<std::uint64_t>(end));
  });
}

}  // namespace gsx
