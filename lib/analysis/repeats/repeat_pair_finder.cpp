#include "analysis/repeats/repeat_pair_finder.hpp"

#include <algorithm>

namespace gsx {

template <class Pos>
typename RepeatPairFinder<Pos>::Summary RepeatPairFinder<Pos>::list_of(std::uint64_t row,
                                                                       Pos position) {
  if (unused_ == none) {
    unused_ = static_cast<Pos>(lists_.size());
    lists_.push({none, none, none, 0});
    growth_.grown_to(lists_.size() * sizeof(List));
  }
  const Pos list = unused_;
  unused_ = lists_[list].next;
  const Pos only = static_cast<Pos>(row);
  next_[row] = none;
  lists_[list] = {only, only, none, places_.left_of(position)};
  return {list};
}

template <class Pos>
void RepeatPairFinder<Pos>::drop(Pos list) {
  lists_[list].next = unused_;
  unused_ = list;
}

template <class Pos>
void RepeatPairFinder<Pos>::merge(Summary& into, const Summary& summary, std::uint64_t length) {
  for (Pos a = into.lists; a != none; a = lists_[a].next) {
    for (Pos b = summary.lists; b != none; b = lists_[b].next) {
      if (differ_on_left(lists_[a].left, lists_[b].left)) give_pairs(lists_[a], lists_[b], length);
    }
  }
  for (Pos b = summary.lists; b != none;) {
    const Pos behind = lists_[b].next;
    Pos same = into.lists;
    while (same != none && lists_[same].left != lists_[b].left)
      same = lists_[same].next;
    if (same == none) {
      lists_[b].next = into.lists;
      into.lists = b;
    } else {
      next_[lists_[same].tail] = lists_[b].head;
      lists_[same].tail = lists_[b].tail;
      drop(b);
    }
    b = behind;
  }
}

/// Drops the lists of an outermost interval, which is merged into none.
template <class Pos>
void RepeatPairFinder<Pos>::close(const LcpInterval& interval, const Summary& summary) {
  if (!interval.is_outermost) return;
  for (Pos list = summary.lists; list != none;) {
    const Pos behind = lists_[list].next;
    drop(list);
    list = behind;
  }
}

template <class Pos>
void RepeatPairFinder<Pos>::give_pairs(const List& a, const List& b, std::uint64_t length) const {
  for (Pos row = a.head; row != none; row = next_[row]) {
    const Pos p = rows_.row(group_, row);
    for (Pos other = b.head; other != none; other = next_[other])
      give(p, rows_.row(group_, other), length);
  }
}

template <class Pos>
void RepeatPairFinder<Pos>::give(Pos p, Pos q, std::uint64_t length) const {
  const bool p_forward = places_.text.is_forward(p), q_forward = places_.text.is_forward(q);
  if (p_forward && q_forward) {
    take_({length, std::min(p, q), std::max(p, q), false});
  } else if (p_forward || q_forward) {
    const std::uint64_t forward = p_forward ? p : q;
    const std::uint64_t reverse = places_.forward_end(p_forward ? q : p) - length;
    if (forward <= reverse) take_({length, forward, reverse, true});
  }
}

template class RepeatPairFinder<std::uint32_t>;
template class RepeatPairFinder<std::uint64_t>;

}  // namespace gsx
