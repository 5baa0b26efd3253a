#include "device/circular/circles.hpp"

#include <algorithm>

namespace gsx {

std::vector<Circle> circles_of(const TextView& text, const RecordsView& records,
                               std::span<const std::uint64_t> circular) {
  const SegmentsView& segments = text.segments;
  std::vector<Circle> circles;
  for (const std::uint64_t record : circular) {
    const RecordInfo& info = records.infos[record];
    const std::uint64_t first = info.first_segment;
    const std::uint64_t end =
        record + 1 == records.size() ? segments.count : records.infos[record + 1].first_segment;
    if (first == end || info.length < 2 || records.segment_offsets[first] != 0) continue;
    const auto size = [&](std::uint64_t segment) {
      return segments.starts[segment + 1] - 1 - segments.starts[segment];
    };
    const std::uint64_t last = end - 1;
    if (records.segment_offsets[last] + size(last) != info.length) continue;
    circles.push_back({segments.starts[end] - 1, segments.starts[first], info.length,
                       std::min(size(last), info.length - 1),
                       std::min(size(first), info.length - 1)});
  }
  return circles;
}

}  // namespace gsx
