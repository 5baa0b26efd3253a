// Regions of records, and which hits lie within them.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "text/text.hpp"

namespace gsx {

/// Text positions [begin, end) of one segment.
struct TextStretch {
  std::uint64_t begin;
  std::uint64_t end;
};

/// Regions of the records of a text, of which those that overlap or touch are one.
class TextRegions {
 public:
  /// The ranges come in any order. Refers to the segments and the records. Cost: sorting
  /// them.
  TextRegions(const SegmentsView& segments, const RecordsView& records,
              std::vector<RecordRange> ranges);

  /// Where the region ends that holds a symbol of a record; `begin`, its place, if none does. In a
  /// circular record, the last symbol and the first are neighbours: a region that ends with the
  /// one goes on with that which begins with the other, and its end is then behind the record's.
  /// Cost: a binary search.
  std::uint64_t end_from(std::uint64_t record, std::uint64_t begin) const;
  /// Whether a region holds `length` symbols from a text position on; of a circular record, also
  /// beyond its end. Pre: length > 0.
  bool hold(std::uint64_t position, std::uint64_t length) const;

  /// What the regions cover of each segment: ascending and apart. Asks `require`, which may throw,
  /// for their bytes. Cost: two passes over the regions and their segments.
  std::vector<TextStretch> stretches(const std::function<void(std::uint64_t bytes)>& require) const;
  /// Bytes of memory.
  std::uint64_t bytes() const { return ranges_.capacity() * sizeof ranges_[0]; }

 private:
  template <class Use>
  void for_each_stretch(const Use& use) const;

  SegmentsView segments_;
  RecordsView records_;
  std::vector<RecordRange> ranges_;  ///< ascending and apart
};

}  // namespace gsx
