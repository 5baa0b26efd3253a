// Finds the ends of one pattern where they may be: what every way to search does in the end.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "search/edits/columns.hpp"
#include "search/edits/edits.hpp"
#include "search/edits/end_collector.hpp"
#include "search/edits/end_range.hpp"
#include "search/edits/pattern_masks.hpp"
#include "search/edits/strand_text.hpp"

namespace gsx {

/// A pattern that is searched, with its number in the batch.
struct SoughtPattern {
  std::uint32_t number;
  PatternMasksView masks;
};

/// Text positions [begin, end). An end of a pattern lies in them if its last symbol does, in the
/// pattern's direction.
struct EndWindow {
  std::uint64_t begin;
  std::uint64_t end;
};

/// Merges windows that overlap or have at most `gap` symbols between them, so that no floor of ends
/// in them is cut but at a border of all of them. Pre: sorted by `begin`.
void merge_windows(std::vector<EndWindow>& windows, std::uint64_t gap = 0);

/// Computes columns in parts of the text; reused from pattern to pattern. Memory: 20 bytes per 64
/// symbols of a long pattern.
class EndFinder {
 public:
  EndFinder(const TextView& text, const EditRequest& request)
      : text_(text), rule_{request.edits, request.all_ends} {}

  /// Gives `to` the ends of a strand that belong to the window, as take_ends() says, in each
  /// segment. Pre: the window lies in the text; the reverse strand is of DNA. Cost: a step per
  /// symbol of the window, and length + edits per segment in it.
  void find(const SoughtPattern& pattern, bool reverse, const EndWindow& window, EndsOf which,
            EndCollector& to);

 private:
  template <class Column>
  void find_in_segment(const SoughtPattern& pattern, const StrandText& text, const EndRange& range,
                       EndsOf which, Column& column, EndCollector& to);

  TextView text_;
  EndRule rule_;
  std::vector<ColumnWord> words_;
  std::vector<std::uint32_t> scores_;
  // Of which pattern and segment the known floors are, by strand:
  std::uint32_t known_pattern_[2] = {0, 0};
  std::uint64_t known_begin_[2] = {0, 0};
  KnownFloor known_[2];
};

}  // namespace gsx
