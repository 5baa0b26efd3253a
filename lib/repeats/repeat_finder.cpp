#include "repeats/repeat_finder.hpp"

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
  // Among twice as many rows as places are wanted, each at most twice, there are enough.
  const std::uint64_t rows = is_own_complement ? 2 * wanted : wanted;
  taken_.clear();
  for (std::uint64_t row = interval.first_row; row < interval.first_row + rows; ++row) {
    taken_.push_back(place_of(position(row), interval.length));
    if (is_own_complement) taken_.back().reverse = false;
  }
  std::sort(taken_.begin(), taken_.end(), [](const RepeatPlace& a, const RepeatPlace& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.reverse < b.reverse;
  });
  if (!is_own_complement) return;
  taken_.erase(std::unique(taken_.begin(), taken_.end()), taken_.end());
  taken_.resize(wanted);
}

template class RepeatFinder<std::uint32_t>;
template class RepeatFinder<std::uint64_t>;

}  // namespace gsx
