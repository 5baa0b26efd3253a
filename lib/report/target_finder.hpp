// Turns places in the text into places in records.
#pragma once

#include <cstdint>

#include "text/text.hpp"

namespace gsx {

/// Where a hit lies in its record. Remembers the last segment, since hits often share it.
class TargetFinder {
 public:
  TargetFinder(const RecordsView& targets, const SegmentsView& segments)
      : targets_(targets), segments_(segments) {}

  /// Start in the record; target() is then its number.
  std::uint64_t start_of(std::uint64_t position) {
    if (position - begin_ >= size_) find(position);
    return offset_ + (position - begin_);
  }
  std::uint64_t target() const { return target_; }

 private:
  void find(std::uint64_t position) {
    const std::uint64_t segment = segments_.segment_at(position);
    begin_ = segments_.starts[segment];
    size_ = segments_.starts[segment + 1] - begin_;
    offset_ = targets_.segment_offsets[segment];
    target_ = targets_.segment_records[segment];
  }

  RecordsView targets_;
  SegmentsView segments_;
  std::uint64_t begin_ = 0;
  std::uint64_t size_ = 0;  ///< 0 before the first segment
  std::uint64_t offset_ = 0;
  std::uint64_t target_ = 0;
};

}  // namespace gsx
