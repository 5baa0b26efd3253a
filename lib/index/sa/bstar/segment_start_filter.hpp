// Whether a segment starts shortly before a position, from a table that fits the first-level cache.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/bits.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// The text is cut into at most 2^16 stretches; one bit per stretch says whether it has a position
/// that a segment starts at or shortly before. This is a view of a SegmentStartFilter.
class SegmentStartFilterView {
 public:
  SegmentStartFilterView(const SegmentsView& segments, const std::uint64_t* bits, int shift)
      : segments_(segments), bits_(bits), shift_(shift) {}

  /// Whether fewer than `reach` symbols of its segment may precede position p. Pre: p <
  /// segments.length(). Cost: a load from the cache.
  bool may_start_before(std::uint64_t p) const {
    const std::uint64_t stretch = p >> shift_;
    return (bits_[stretch / 64] >> stretch % 64 & 1) != 0;
  }
  /// The symbols of its segment that precede p. Cost: a search among the segments. Not inlined, as
  /// it is rare: it would take registers from the loops.
  __attribute__((noinline)) std::uint64_t symbols_before(std::uint64_t p) const {
    return p - segments_.starts[segments_.segment_at(p)];
  }

 private:
  SegmentsView segments_;
  const std::uint64_t* bits_;
  int shift_;
};

class SegmentStartFilter {
 public:
  /// Pre: reach > 0.
  SegmentStartFilter(const SegmentsView& segments, std::uint64_t reach)
      : segments_(segments), shift_(std::max(0, bit_length(segments.length()) - 16)), bits_(1024) {
    for (std::uint64_t k = 0; k < segments.count; ++k) {
      const std::uint64_t first = segments.starts[k];
      const std::uint64_t last = std::min(first + reach, segments.starts[k + 1]) - 1;
      for (std::uint64_t stretch = first >> shift_; stretch <= last >> shift_; ++stretch)
        bits_[stretch / 64] |= std::uint64_t{1} << stretch % 64;
    }
  }
  SegmentStartFilterView view() const { return {segments_, bits_.data(), shift_}; }

 private:
  SegmentsView segments_;
  int shift_;
  std::vector<std::uint64_t> bits_;
};

}  // namespace gsx
