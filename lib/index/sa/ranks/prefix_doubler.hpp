// Sorting tied suffixes by the ranks of suffixes further on.
#pragma once

#include <cstdint>
#include <utility>

#include "index/sa/groups/group_sorter.hpp"
#include "index/sa/groups/row_slices.hpp"
#include "index/sa/groups/tie_bits.hpp"

namespace gsx {

/// Prefix doubling (Manber and Myers, 1993; Larsson and Sadakane, 2007) on a subset of the
/// suffixes. The rank of a suffix is the head of its group, or its own row when it is in no group.
/// If two suffixes of a group agree on h symbols, the ranks of the suffixes h symbols further on
/// sort them.
///
/// `order` holds the suffixes as numbers i; the rank of suffix i is in ranks[i >> shift]. With
/// shift 0 the numbers count the suffixes of the subset; with shift 1 they are text positions, no
/// two of which are neighbours.
template <class Pos, int shift>
class PrefixDoubler {
 public:
  PrefixDoubler(GroupSorter<Pos>& sorter, Pos* order, std::uint64_t size, Pos* ranks)
      : sorter_(sorter),
        order_(order),
        size_(size),
        ranks_(ranks),
        slices_(size, sorter.threads()) {}

  /// A key of GroupSorter: the rank of the suffix `distance` further on.
  struct RankKey {
    const Pos* ranks;

    std::uint64_t operator()(std::uint64_t i, std::uint64_t distance) const {
      return ranks[(i + distance) >> shift];
    }
    void prefetch(std::uint64_t i, std::uint64_t distance) const {
      __builtin_prefetch(ranks + ((i + distance) >> shift));
    }
    void prefetch_last(std::uint64_t, std::uint64_t) const {}
  };
  RankKey rank_key() const { return {ranks_}; }

  const RowSlices& slices() const { return slices_; }

  /// Sets the ranks of all suffixes.
  void rank_all(const TieBits& ties) const {
    write_ranks(ties, [](Slice slice, const auto& on_row) {
      for (std::uint64_t row = slice.begin; row < slice.end; ++row)
        on_row(row);
    });
  }

  /// One round: sorts the groups of `tied`, then makes `left` the groups that remain and updates
  /// the ranks. sort_slice(slice, sort) calls sort(begin, end, distance) for the groups that begin
  /// in the slice; on_tie is that of RecordSorter::sort_groups and marks groups in `left`.
  /// All groups read the ranks before any rank changes. Otherwise ranks of different rounds could
  /// decide between two suffixes of one group.
  template <class SortSlice, class OnTie>
  void sort_round(const TieBits& tied, TieBits& left, const SortSlice& sort_slice,
                  const OnTie& on_tie) {
    left.clear();
    sorter_.sort(
        order_, slices_.count(),
        [&](std::uint64_t s, int, const auto& sort) { sort_slice(slices_[s], sort); }, rank_key(),
        on_tie);
    write_ranks(left, [&](Slice slice, const auto& on_row) { tied.for_each_row(slice, on_row); });
  }

 private:
  /// Sets the ranks of the rows that rows_of(slice, on_row) visits.
  template <class RowsOf>
  void write_ranks(const TieBits& ties, const RowsOf& rows_of) const {
    slices_.for_each([&](Slice slice) {
      if (slice.begin == slice.end) return;
      std::uint64_t head = ties.head_of(slice.begin);
      rows_of(slice, [&](std::uint64_t row) {
        if (!ties.tied(row)) head = row;
        ranks_[order_[row] >> shift] = static_cast<Pos>(head);
      });
    });
  }

  GroupSorter<Pos>& sorter_;
  Pos* order_;
  std::uint64_t size_;
  Pos* ranks_;
  RowSlices slices_;
};

/// Sorts a sequence of `size` numbers as suffixes. order[] has them sorted by their first one, with
/// `tied` as its groups; ranks[] becomes the ranks. Suffixes of a group have as many successors as
/// they share numbers. Cost: O(size log size).
template <class Pos>
void double_ranks(GroupSorter<Pos>& sorter, Pos* order, std::uint64_t size, Pos* ranks,
                  TieBits tied) {
  PrefixDoubler<Pos, 0> doubler(sorter, order, size, ranks);
  doubler.rank_all(tied);
  TieBits left(size);
  for (std::uint64_t h = 1; tied.count(sorter.threads()) != 0; h *= 2) {
    doubler.sort_round(
        tied, left,
        [&](Slice slice, const auto& sort) {
          tied.for_each_group(slice,
                              [&](std::uint64_t begin, std::uint64_t end) { sort(begin, end, h); });
        },
        [&](std::uint64_t begin, std::uint64_t end, std::uint64_t, std::uint64_t) {
          left.mark_group(begin, end);
          return keep_order;
        });
    std::swap(tied, left);
  }
}

}  // namespace gsx
