#include "analysis/repeats/repeat_finder.hpp"

#include <algorithm>

namespace gsx {

template <class Pos>
typename RepeatFinder<Pos>::Summary RepeatFinder<Pos>::summary_of(Pos position) const {
  Summary summary;
  summary.left = places_.left_of(position);
  if (places_.text.is_forward(position)) {
    summary.first_begin = position;
  } else {
    summary.first_end = static_cast<Pos>(places_.forward_end(position));
  }
  return summary;
}

template <class Pos>
void RepeatFinder<Pos>::merge(Summary& into, const Summary& summary, std::uint64_t) const {
  into.first_begin = std::min(into.first_begin, summary.first_begin);
  into.first_end = std::min(into.first_end, summary.first_end);
  if (differ_on_left(into.left, summary.left)) into.left = many;
}

template <class Pos>
void RepeatFinder<Pos>::close(const LcpInterval& interval, const Summary& summary) {
  if (summary.left != many) return;
  const bool on_reverse = summary.first_end != none;
  const std::uint64_t first_reverse = on_reverse ? summary.first_end - interval.length : none;
  if (summary.first_begin > first_reverse) return;  // given as its reverse complement
  const bool is_own_complement = on_reverse && summary.first_begin == first_reverse;
  const std::uint64_t count = is_own_complement ? interval.rows() / 2 : interval.rows();
  if (count < request_.min_count) return;
  if (request_.supermaximal && (interval.has_inner || !have_different_lefts(interval))) return;
  take_places(interval, count, is_own_complement);
  take_({interval.length, count, taken_});
}

template <class Pos>
bool RepeatFinder<Pos>::have_different_lefts(const LcpInterval& interval) const {
  std::bitset<StrandPlaces::border> seen;
  for (std::uint64_t row = interval.first_row; row <= interval.last_row; ++row) {
    const LeftSymbol left = places_.left_of(position(row));
    if (left == StrandPlaces::border) continue;
    if (seen[left]) return false;
    seen.set(left);
  }
  return true;
}

template <class Pos>
RepeatPlace RepeatFinder<Pos>::place_of(Pos position, std::uint64_t length) const {
  if (places_.text.is_forward(position)) return {position, false};
  return {places_.forward_end(position) - length, true};
}

/// Sets taken_ to the first places in the order of the rows, in the order of the text.
template <class Pos>
void RepeatFinder<Pos>::take_places(const LcpInterval& interval, std::uint64_t count,
                                    bool is_own_complement) {
  const std::uint64_t wanted = std::min(count, request_.max_places);
  taken_.clear();
  if (is_own_complement) return take_each_once(interval, wanted);
  for (std::uint64_t row = interval.first_row; row < interval.first_row + wanted; ++row)
    taken_.push_back(place_of(position(row), interval.length));
  std::sort(taken_.begin(), taken_.end(), [](const RepeatPlace& a, const RepeatPlace& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.reverse < b.reverse;
  });
}

/// Takes the places of a repeat where each has two rows, one of each strand: the first of them
/// counts.
template <class Pos>
void RepeatFinder<Pos>::take_each_once(const LcpInterval& interval, std::uint64_t wanted) {
  first_rows_.clear();
  for (std::uint64_t row = interval.first_row; row < interval.first_row + 2 * wanted; ++row)
    first_rows_.push_back({place_of(position(row), interval.length).begin, row});
  std::sort(first_rows_.begin(), first_rows_.end());
  const auto same = std::ranges::unique(first_rows_, {}, &FirstRow::begin);
  first_rows_.erase(same.begin(), same.end());
  const auto last = first_rows_.begin() + static_cast<std::ptrdiff_t>(wanted);
  if (last != first_rows_.end()) std::ranges::nth_element(first_rows_, last, {}, &FirstRow::row);
  first_rows_.erase(last, first_rows_.end());
  std::sort(first_rows_.begin(), first_rows_.end());
  for (const FirstRow& place : first_rows_)
    taken_.push_back({place.begin, false});
}

template class RepeatFinder<std::uint32_t>;
template class RepeatFinder<std::uint64_t>;

}  // namespace gsx
