// Sorting B* suffixes that agree on long stretches by the ranks of B* suffixes further on.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/parallel.hpp"
#include "sa/groups/group_sorter.hpp"
#include "sa/groups/tie_bits.hpp"
#include "sa/ranks/tandem_sorter.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// Prefix doubling (Manber and Myers, 1993; Larsson and Sadakane, 2007) among B* suffixes, as in
/// divsufsort: suffixes of a group that agree on enough symbols are followed by their next B*
/// suffixes at the same distance, and are ordered by the ranks of these. Groups agree on different
/// lengths, so each has its own distance, its reach: that of the last B* suffix that what it agrees
/// on determines. When a group has been sorted by ranks, those that remain tied reach as far again
/// as the group did that they have met there.
/// No two B* suffixes are neighbours, so half of a position tells them apart: ranks and reaches
/// together are an entry a position.
template <class Pos>
class BStarRanks {
 public:
  /// `order` has `size` B* suffixes; `room` is for text.length() entries. Both live as long as
  /// this.
  BStarRanks(const TextView& text, GroupSorter<Pos>& sorter, Pos* order, std::uint64_t size,
             Pos* room)
      : symbols_(text.symbols),
        sorter_(sorter),
        order_(order),
        size_(size),
        ranks_(room),
        reaches_(room + (text.length() + 1) / 2) {}

  /// Sets the reaches of those groups of `tied` for which `depth` symbols, which they agree on,
  /// tell one, and adds them to `ready`; gives the others.
  TieBits find_reaches(const TieBits& tied, std::uint64_t depth, TieBits& ready) {
    TieBits others(size_);
    for_each_slice([&](Slice slice) {
      tied.for_each_group(slice, [&](std::uint64_t begin, std::uint64_t end) {
        const std::uint64_t reach = last_star(order_[begin], depth);
        reaches_[begin] = static_cast<Pos>(reach);
        (reach == 0 ? others : ready).mark_group(begin, end);
      });
    });
    return others;
  }

  /// Sorts the groups of `ready`, all others being sorted, until none is tied, or more than `few`
  /// rows are and a round has keep_order less than a tenth of them, as in copies that are much
  /// longer than what has been compared; gives what is still tied.
  TieBits sort(TieBits ready, std::uint64_t few) {
    forget_ranks();
    write_ranks(ready, [](Slice slice, auto&& on_row) {
      for (std::uint64_t row = slice.begin; row < slice.end; ++row)
        on_row(row);
    });
    TieBits next(size_);
    std::uint64_t left = ready.count(sorter_.threads());
    for (std::uint64_t before = size_ * 2; left != 0 && (left <= few || left < before / 10 * 9);) {
      next.clear();
      // Ranks and reaches are read by all groups before any is changed; else two members of a group
      // could be judged by ranks of different rounds. What is met has a reach at its first row, so
      // the second row of a new group is free for its own.
      const auto on_tie = [&](std::uint64_t begin, std::uint64_t end, std::uint64_t reach) {
        next.mark_group(begin, end);
        reaches_[begin + 1] = static_cast<Pos>(reach);
      };
      sorter_.sort(
          order_, slices(),
          [&](std::uint64_t s, int, const auto& sort) {
            TandemSorter<Pos> tandem(order_, ranks_, reaches_);
            ready.for_each_group(slice(s), [&](std::uint64_t begin, std::uint64_t end) {
              const std::uint64_t reach = reaches_[begin];
              if (!tandem.applies(begin, end, reach)) return sort(begin, end, reach);
              tandem.sort(begin, end, reach, on_tie);
            });
          },
          RankKey{ranks_},
          [&](std::uint64_t begin, std::uint64_t end, std::uint64_t reach, std::uint64_t met) {
            on_tie(begin, end, reach + reaches_[met]);
            return keep_order;
          });
      for_each_slice([&](Slice slice) {
        next.for_each_group(slice, [&](std::uint64_t begin, std::uint64_t) {
          reaches_[begin] = reaches_[begin + 1];
        });
      });
      write_ranks(next, [&](Slice slice, auto&& on_row) { ready.for_each_row(slice, on_row); });
      std::swap(ready, next);
      before = std::exchange(left, ready.count(sorter_.threads()));
    }
    return ready;
  }

 private:
  /// A key of GroupSorter: the rank of the B* suffix `reach` further on.
  struct RankKey {
    const Pos* ranks;

    std::uint64_t operator()(std::uint64_t p, std::uint64_t reach) const {
      return ranks[(p + reach) / 2];
    }
    void prefetch(std::uint64_t p, std::uint64_t reach) const {
      __builtin_prefetch(ranks + (p + reach) / 2);
    }
    void prefetch_last(std::uint64_t, std::uint64_t) const {}
  };

  static constexpr std::uint64_t slices_per_thread = 64;

  std::uint64_t slices() const {
    return static_cast<std::uint64_t>(sorter_.threads()) * slices_per_thread;
  }
  Slice slice(std::uint64_t s) const { return slice_of(size_, slices(), s, 64); }
  template <class Work>
  void for_each_slice(const Work& work) const {
    parallel_for(sorter_.threads(), slices(), [&](std::uint64_t s, int) { work(slice(s)); });
  }

  /// How far behind p the last B* suffix begins of which symbols [p, p + depth), all in one
  /// segment, tell that it is one; 0 if they do of none.
  std::uint64_t last_star(std::uint64_t p, std::uint64_t depth) const {
    bool falls = false;  // whether the suffix at p + i is known to be of type A
    std::uint64_t behind = symbols_[p + depth - 1];
    for (std::uint64_t i = depth - 1; i > 1; --i) {
      const std::uint64_t here = symbols_[p + i - 1];
      if (here < behind && falls) return i - 1;
      falls = here > behind || (here == behind && falls);
      behind = here;
    }
    return 0;
  }

  /// Makes all ranks those of no B* suffix.
  void forget_ranks() const {
    const auto entries = static_cast<std::uint64_t>(reaches_ - ranks_);
    parallel_for(sorter_.threads(), slices(), [&](std::uint64_t s, int) {
      const Slice slice = slice_of(entries, slices(), s);
      std::fill(ranks_ + slice.begin, ranks_ + slice.end, static_cast<Pos>(~Pos{0}));
    });
  }

  /// ranks_ = head of the group of each row that for_rows(slice, on_row) chooses.
  template <class ForRows>
  void write_ranks(const TieBits& tied, const ForRows& for_rows) const {
    for_each_slice([&](Slice slice) {
      if (slice.begin == slice.end) return;
      std::uint64_t head = tied.head_of(slice.begin);
      for_rows(slice, [&](std::uint64_t row) {
        if (!tied.tied(row)) head = row;
        ranks_[order_[row] / 2] = static_cast<Pos>(head);
      });
    });
  }

  PackedView symbols_;
  GroupSorter<Pos>& sorter_;
  Pos* order_;
  std::uint64_t size_;
  Pos* ranks_;    ///< by half of the position: first row of its group
  Pos* reaches_;  ///< by first row of a group
};

}  // namespace gsx
