#include "index/sa/ranks/bstar_ranks.hpp"

#include <algorithm>
#include <utility>

#include "base/parallel.hpp"
#include "index/sa/ranks/tandem_sorter.hpp"

namespace gsx {

template <class Pos>
BStarRanks<Pos>::BStarRanks(const TextView& text, GroupSorter<Pos>& sorter, Pos* suffixes,
                            std::uint64_t size, Pos* room)
    : symbols_(text.symbols),
      sorter_(sorter),
      suffixes_(suffixes),
      size_(size),
      ranks_(room),
      distances_(room + (text.length() + 1) / 2),
      doubler_(sorter, suffixes, size, ranks_) {}

template <class Pos>
void BStarRanks<Pos>::sort(TiedGroups<Pos>& groups, std::uint64_t few) {
  TieBits ready = find_all_distances(groups);
  clear_ranks();
  doubler_.rank_all(ready);
  TieBits left(size_);
  const auto falls_too_slowly = [&](std::uint64_t before, std::uint64_t now) {
    return now > few && now >= before / 10 * 9;
  };
  std::uint64_t count = ready.count(sorter_.threads());
  for (std::uint64_t before = size_ * 2; count != 0 && !falls_too_slowly(before, count);) {
    sort_round(ready, left);
    std::swap(ready, left);
    before = std::exchange(count, ready.count(sorter_.threads()));
  }
  groups.continue_with(std::move(ready));
}

/// Sets the distance of every group and returns the groups. A group whose shared symbols determine
/// no B* suffix, as in a long run of one symbol, is refined by its text first; such groups are
/// rare.
template <class Pos>
TieBits BStarRanks<Pos>::find_all_distances(TiedGroups<Pos>& groups) {
  TieBits ready(size_);
  for (;;) {
    groups.continue_with(find_distances(groups.ties(), groups.depth(), ready));
    if (groups.empty()) return ready;
    groups.refine(2 * groups.depth());
  }
}

/// Sets the distances of those groups of `ties` whose first `depth` symbols determine one, and adds
/// these groups to `ready`; returns the other groups.
template <class Pos>
TieBits BStarRanks<Pos>::find_distances(const TieBits& ties, std::uint64_t depth, TieBits& ready) {
  TieBits others(size_);
  doubler_.slices().for_each([&](Slice slice) {
    ties.for_each_group(slice, [&](std::uint64_t begin, std::uint64_t end) {
      const std::uint64_t distance = last_bstar(suffixes_[begin], depth);
      distances_[begin] = static_cast<Pos>(distance);
      (distance == 0 ? others : ready).mark_group(begin, end);
    });
  });
  return others;
}

/// The distance from p to the last suffix that symbols [p, p + depth), which lie in one segment,
/// prove to be B*; 0 if they prove none.
template <class Pos>
std::uint64_t BStarRanks<Pos>::last_bstar(std::uint64_t p, std::uint64_t depth) const {
  bool is_a = false;  // whether the suffix at p + i is known to be of type A
  std::uint64_t behind = symbols_[p + depth - 1];
  for (std::uint64_t i = depth - 1; i > 1; --i) {
    const std::uint64_t here = symbols_[p + i - 1];
    if (here < behind && is_a) return i - 1;
    is_a = here > behind || (here == behind && is_a);
    behind = here;
  }
  return 0;
}

/// Fills the ranks with a value that no group has: TandemSorter also reads entries that belong to
/// no B* suffix.
template <class Pos>
void BStarRanks<Pos>::clear_ranks() const {
  RowSlices(static_cast<std::uint64_t>(distances_ - ranks_), sorter_.threads())
      .for_each([&](Slice slice) {
        std::fill(ranks_ + slice.begin, ranks_ + slice.end, static_cast<Pos>(~Pos{0}));
      });
}

template <class Pos>
void BStarRanks<Pos>::sort_round(const TieBits& ready, TieBits& left) {
  // Other groups still read the old distance at the head of the old group. The second row of a new
  // group is free to hold the new distance until the end of the round.
  const auto on_tie = [&](std::uint64_t begin, std::uint64_t end, std::uint64_t distance) {
    left.mark_group(begin, end);
    distances_[begin + 1] = static_cast<Pos>(distance);
  };
  doubler_.sort_round(
      ready, left,
      [&](Slice slice, const auto& sort) {
        TandemSorter<Pos> tandem(suffixes_, ranks_, distances_);
        ready.for_each_group(slice, [&](std::uint64_t begin, std::uint64_t end) {
          const std::uint64_t distance = distances_[begin];
          if (!tandem.applies(begin, end, distance)) return sort(begin, end, distance);
          tandem.sort(begin, end, distance, on_tie);
        });
      },
      [&](std::uint64_t begin, std::uint64_t end, std::uint64_t distance, std::uint64_t met) {
        on_tie(begin, end, distance + distances_[met]);
        return keep_order;
      });
  doubler_.slices().for_each([&](Slice slice) {
    left.for_each_group(slice, [&](std::uint64_t begin, std::uint64_t) {
      distances_[begin] = distances_[begin + 1];
    });
  });
}

template class BStarRanks<std::uint32_t>;
template class BStarRanks<std::uint64_t>;

}  // namespace gsx
