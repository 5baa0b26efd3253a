// Sorting the B* suffixes of a tandem repeat in one round.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "index/sa/tuning.hpp"

namespace gsx {

/// Sorts a group of BStarRanks most of whose suffixes meet the group itself at its rank distance,
/// as in a text with a short period. Prefix doubling alone would need one round for each power of
/// two of repetitions.
///
/// Suppose that a suffix meets its own group k times in a row and then a suffix of another group.
/// If that group has a lower rank, the suffix comes the earlier the smaller k is; if it has a
/// higher rank, the later (McIlroy and Larsson's tandem repeats, as in divsufsort). So the suffixes
/// with k = 0 are sorted by the group that they meet, and placed at the two ends of the rows.
/// From both ends inwards, each placed suffix then places the suffix one distance to its left, if
/// that suffix is in the group.
template <class Pos>
class TandemSorter {
 public:
  /// The arrays of BStarRanks. An entry of `ranks` that belongs to no B* suffix is not a row.
  TandemSorter(Pos* suffixes, const Pos* ranks, const Pos* distances)
      : suffixes_(suffixes), ranks_(ranks), distances_(distances) {}

  /// Whether rows [begin, end) are a large group most of whose suffixes meet the group itself.
  bool applies(std::uint64_t begin, std::uint64_t end, std::uint64_t distance) const {
    if (end - begin < sa_tuning::least_tandem_group) return false;
    std::uint64_t met = 0;
    const std::uint64_t stride = (end - begin) / sa_tuning::tandem_samples;
    for (std::uint64_t i = 0; i < sa_tuning::tandem_samples; ++i)
      met += rank_met(suffixes_[begin + i * stride], distance) == begin;
    return 2 * met > sa_tuning::tandem_samples;
  }

  /// Sorts the group. Calls on_tie(begin, end, new distance) for what remains tied. Cost: 10 to 50
  /// ns per row, and sizeof(Pos) + 1 bytes per row meanwhile.
  template <class OnTie>
  void sort(std::uint64_t begin, std::uint64_t end, std::uint64_t distance, const OnTie& on_tie) {
    begin_ = begin;
    distance_ = distance;
    new_distances_.assign(end - begin, 0);
    tied_.assign(end - begin + 1, 0);
    std::vector<std::pair<Pos, Pos>> leaving;  // the rank that a suffix meets, and the suffix
    for (std::uint64_t row = begin; row < end; ++row) {
      const Pos met = rank_met(suffixes_[row], distance);
      if (met != begin) leaving.emplace_back(met, suffixes_[row]);
    }
    std::sort(leaving.begin(), leaving.end());
    const auto lower = std::lower_bound(leaving.begin(), leaving.end(),
                                        std::pair<Pos, Pos>(static_cast<Pos>(begin), 0));
    const auto low_end = begin + static_cast<std::uint64_t>(lower - leaving.begin());
    const std::uint64_t high_begin = end - static_cast<std::uint64_t>(leaving.end() - lower);
    place(leaving.begin(), lower, begin);
    place(lower, leaving.end(), high_begin);
    place_upwards(low_end);
    place_downwards(end, high_begin);
    for (std::uint64_t row = begin; row < end;) {
      const std::uint64_t head = row++;
      while (tied_[row - begin] != 0)
        ++row;
      if (row - head > 1) on_tie(head, row, std::uint64_t{new_distances_[head - begin]});
    }
  }

 private:
  Pos rank_met(std::uint64_t p, std::uint64_t distance) const { return ranks_[(p + distance) / 2]; }
  /// Whether the suffix one distance to the left of p is in the group. Half of its position
  /// identifies it: the suffixes next to p are not B*, so no other B* suffix has that half.
  bool has_left_neighbour(std::uint64_t p) const {
    return p >= distance_ && ranks_[(p - distance_) / 2] == static_cast<Pos>(begin_);
  }

  template <class Leaving>
  void place(Leaving from, Leaving to, std::uint64_t row) {
    for (Leaving i = from; i != to; ++i, ++row) {
      suffixes_[row] = i->second;
      tied_[row - begin_] = i != from && (i - 1)->first == i->first;
      new_distances_[row - begin_] = static_cast<Pos>(distance_ + distances_[i->first]);
    }
  }
  /// Places the left neighbour of the suffix of row `from`.
  void place_left_neighbour(std::uint64_t row, std::uint64_t from) {
    suffixes_[row] = static_cast<Pos>(suffixes_[from] - distance_);
    new_distances_[row - begin_] = static_cast<Pos>(distance_ + new_distances_[from - begin_]);
  }

  /// Rows [begin_, next) are placed. Two suffixes that are placed one after the other are tied if
  /// their right neighbours are the same or tied.
  void place_upwards(std::uint64_t next) {
    std::uint64_t last = ~std::uint64_t{0}, head = begin_;
    for (std::uint64_t row = begin_; row < next; ++row) {
      if (tied_[row - begin_] == 0) head = row;
      if (!has_left_neighbour(suffixes_[row])) continue;
      place_left_neighbour(next, row);
      tied_[next - begin_] = std::exchange(last, head) == head;
      ++next;
    }
  }
  /// Rows [next, end) are placed.
  void place_downwards(std::uint64_t end, std::uint64_t next) {
    std::uint64_t last = ~std::uint64_t{0}, tail = end;
    for (std::uint64_t row = end; row-- > next;) {
      if (tied_[row + 1 - begin_] == 0) tail = row;
      if (!has_left_neighbour(suffixes_[row])) continue;
      place_left_neighbour(--next, row);
      if (std::exchange(last, tail) == tail) tied_[next + 1 - begin_] = 1;
    }
  }

  Pos* suffixes_;
  const Pos* ranks_;
  const Pos* distances_;
  std::uint64_t begin_ = 0;
  std::uint64_t distance_ = 0;
  std::vector<Pos> new_distances_;
  std::vector<std::uint8_t> tied_;
};

}  // namespace gsx
