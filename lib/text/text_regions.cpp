#include "text/text_regions.hpp"

#include <algorithm>
#include <utility>

namespace gsx {

TextRegions::TextRegions(const SegmentsView& segments, const RecordsView& records,
                         std::vector<RecordRange> ranges)
    : segments_(segments), records_(records), ranges_(std::move(ranges)) {
  std::sort(ranges_.begin(), ranges_.end());
  std::size_t count = 0;
  for (const RecordRange& range : ranges_) {
    const bool touches = count != 0 && ranges_[count - 1].record == range.record &&
                         range.begin <= ranges_[count - 1].end;
    if (!touches) ranges_[count++] = range;
    if (touches) ranges_[count - 1].end = std::max(ranges_[count - 1].end, range.end);
  }
  ranges_.resize(count);
}

std::uint64_t TextRegions::end_from(std::uint64_t record, std::uint64_t begin) const {
  const auto starts_later = [](const RecordRange& a, const RecordRange& b) {
    return a.record < b.record || (a.record == b.record && a.begin < b.begin);
  };
  const auto region_at = [&](std::uint64_t at) -> const RecordRange* {
    const auto after =
        std::upper_bound(ranges_.begin(), ranges_.end(), RecordRange{record, at, at}, starts_later);
    if (after == ranges_.begin() || after[-1].record != record || after[-1].end <= at)
      return nullptr;
    return &after[-1];
  };
  const RecordRange* const region = region_at(begin);
  if (region == nullptr) return begin;
  const std::uint64_t length = records_.infos[record].length;
  const RecordRange* const first = region->end == length ? region_at(0) : nullptr;
  return first == nullptr ? region->end : length + first->end;
}

bool TextRegions::hold(std::uint64_t position, std::uint64_t length) const {
  const std::uint64_t segment = segments_.segment_at(position);
  const std::uint64_t begin =
      records_.segment_offsets[segment] + position - segments_.starts[segment];
  return begin + length <= end_from(records_.segment_records[segment], begin);
}

/// Calls use(stretch) for what each segment has of each region.
template <class Use>
void TextRegions::for_each_stretch(const Use& use) const {
  const auto symbols = [&](std::uint64_t s) {
    return segments_.starts[s + 1] - 1 - segments_.starts[s];
  };
  std::uint64_t segment = 0;
  for (const RecordRange& range : ranges_) {
    // The segment in which the range before ends may be that of this one, too.
    const auto is_before = [&](std::uint64_t s) {
      return records_.segment_records[s] < range.record ||
             (records_.segment_records[s] == range.record &&
              records_.segment_offsets[s] + symbols(s) <= range.begin);
    };
    while (segment < segments_.count && is_before(segment))
      ++segment;
    for (std::uint64_t s = segment; s < segments_.count; ++s) {
      const std::uint64_t offset = records_.segment_offsets[s];
      if (records_.segment_records[s] != range.record || offset >= range.end) break;
      const std::uint64_t begin = std::max(range.begin, offset) - offset;
      const std::uint64_t end = std::min(range.end - offset, symbols(s));
      if (begin < end) use(TextStretch{segments_.starts[s] + begin, segments_.starts[s] + end});
    }
  }
}

std::vector<TextStretch> TextRegions::stretches(
    const std::function<void(std::uint64_t bytes)>& require) const {
  std::size_t count = 0;
  for_each_stretch([&](const TextStretch&) { ++count; });
  std::vector<TextStretch> all;
  require(count * sizeof all[0]);
  all.reserve(count);
  for_each_stretch([&](const TextStretch& stretch) { all.push_back(stretch); });
  return all;
}

}  // namespace gsx
