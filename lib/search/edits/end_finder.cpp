#include "search/edits/end_finder.hpp"

namespace gsx {

void merge_windows(std::vector<EndWindow>& windows, std::uint64_t gap) {
  std::size_t merged = 0;
  for (const EndWindow& window : windows) {
    if (merged > 0 && window.begin <= windows[merged - 1].end + gap) {
      windows[merged - 1].end = std::max(windows[merged - 1].end, window.end);
    } else {
      windows[merged++] = window;
    }
  }
  windows.resize(merged);
}

template <class Column>
void EndFinder::find_in_segment(const SoughtPattern& pattern, const StrandText& text,
                                const EndRange& range, EndsOf which, Column& column,
                                EndCollector& to) {
  bool is_lower = false;
  if (which == EndsOf::floors_that_end && !rule_.all_ends && range.first > 1) {
    go_to(text, pattern.masks.length, rule_.edits, range.first - 1, column);
    if (column.value() <= rule_.edits) {
      KnownFloor& known = known_[text.reverse];
      if (known_pattern_[text.reverse] != pattern.number ||
          known_begin_[text.reverse] != text.begin)
        known = {};
      known_pattern_[text.reverse] = pattern.number;
      known_begin_[text.reverse] = text.begin;
      is_lower =
          is_lower_floor(text, pattern.masks.length, column, range.first - 1, rule_.edits, known);
    }
  }
  take_ends(text, pattern.masks.length, column, range, rule_, which, is_lower,
            [&](std::uint64_t at, std::uint32_t edits) {
              to.take({pattern.number, text.position_of(at), text.reverse, edits});
            });
}

void EndFinder::find(const SoughtPattern& pattern, bool reverse, const EndWindow& window,
                     EndsOf which, EndCollector& to) {
  if (window.begin >= window.end) return;
  const PatternMasksView& masks = pattern.masks;
  const SegmentsView& segments = text_.segments;
  for (std::uint64_t segment = segments.segment_at(window.begin);
       segment < segments.count && segments.starts[segment] < window.end; ++segment) {
    const std::uint64_t begin = segments.starts[segment], end = segments.starts[segment + 1] - 1;
    const std::uint64_t first = std::max(begin, window.begin), last = std::min(end, window.end);
    if (first >= last || end - begin + rule_.edits < masks.length) continue;
    const StrandText text{text_.symbols, begin, end, reverse};
    const EndRange range{text.place_behind(reverse ? last - 1 : first),
                         text.place_behind(reverse ? first : last - 1) + 1};
    if (masks.words == 1) {
      ShortColumn column(masks, rule_.edits);
      find_in_segment(pattern, text, range, which, column, to);
    } else {
      words_.resize(std::max<std::size_t>(words_.size(), masks.words));
      scores_.resize(words_.size());
      LongColumn column(masks, rule_.edits, words_.data(), scores_.data());
      find_in_segment(pattern, text, range, which, column, to);
    }
  }
}

}  // namespace gsx
