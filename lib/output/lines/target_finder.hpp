// Turns places in the text into places in records.
#pragma once

#include <cstdint>

#include "text/place_parts.hpp"
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
  /// Where the symbols of a place of that length lie. Pre: the last call was start_of(position).
  PlaceParts parts(std::uint64_t position, std::uint64_t length) const {
    return parts_of(segments_, targets_, target_, begin_ + size_ - 1, position, length);
  }

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
