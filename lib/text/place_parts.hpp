// A place that may span the origin of a circular record.
#pragma once

#include <cstdint>

#include "text/text.hpp"

namespace gsx {

/// Where the symbols of a place lie in the text: `size` of them from `begin` on, and `rest` behind
/// the origin of a circular record, from `rest_begin` on.
struct PlaceParts {
  std::uint64_t begin = 0;
  std::uint64_t size = 0;
  std::uint64_t rest_begin = 0;
  std::uint64_t rest = 0;  ///< 0 unless the place spans the origin

  /// The text position of symbol `i`.
  std::uint64_t position_of(std::uint64_t i) const {
    return i < size ? begin + i : rest_begin + (i - size);
  }
};

/// The parts of a place of `length` symbols. Pre: it ends before `separator`, the end of the
/// segment that holds `position`, or it spans the origin of `record`.
inline PlaceParts parts_of(const SegmentsView& segments, const RecordsView& records,
                           std::uint64_t record, std::uint64_t separator, std::uint64_t position,
                           std::uint64_t length) {
  const std::uint64_t room = separator - position;
  if (length <= room) return {position, length, 0, 0};
  return {position, room, segments.starts[records.infos[record].first_segment], length - room};
}

}  // namespace gsx
