// Sorting B* suffixes of tandem repeats in one round.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace gsx {

/// Sorts groups of BStarRanks many of whose members meet the group itself at its reach, as where a
/// period is repeated: doubling would take a round for each power of two of repetitions.
///
/// A member that meets the group k times in a row, and then something of another rank, comes the
/// earlier the smaller k is if that rank is lower, the later if it is higher (McIlroy and Larsson's
/// tandem repeats, as in divsufsort). So those that meet others at once are sorted by what they
/// meet, and put at either end; and from either end inwards, each row has its neighbour put next
/// that meets it.
template <class Pos>
class TandemSorter {
 public:
  /// As BStarRanks has them; entries of `ranks` that belong to no B* suffix are no group's row.
  TandemSorter(Pos* order, const Pos* ranks, const Pos* reaches)
      : order_(order), ranks_(ranks), reaches_(reaches) {}

  /// Whether rows [begin, end), which reach so far, are a large group that mostly meets itself.
  bool applies(std::uint64_t begin, std::uint64_t end, std::uint64_t reach) const {
    if (end - begin < least) return false;
    std::uint64_t met = 0;
    for (std::uint64_t i = 0; i < sampled; ++i)
      met += meets(order_[begin + i * ((end - begin) / sampled)], reach) == begin;
    return 2 * met > sampled;
  }

  /// Sorts it. Calls on_tie(begin, end, new reach) for what remains tied. Cost: 10 to 50 ns a row
  /// and, for so long, sizeof(Pos) + 1 bytes.
  template <class OnTie>
  void sort(std::uint64_t begin, std::uint64_t end, std::uint64_t reach, const OnTie& on_tie) {
    begin_ = begin;
    reach_ = reach;
    new_reaches_.assign(end - begin, 0);
    tied_.assign(end - begin + 1, 0);
    std::vector<std::pair<Pos, Pos>> leaving;  // what is met, and by whom
    for (std::uint64_t row = begin; row < end; ++row) {
      const Pos met = meets(order_[row], reach);
      if (met != begin) leaving.emplace_back(met, order_[row]);
    }
    std::sort(leaving.begin(), leaving.end());
    const auto lower = std::lower_bound(leaving.begin(), leaving.end(),
                                        std::pair<Pos, Pos>(static_cast<Pos>(begin), 0));
    const auto low_end = begin + static_cast<std::uint64_t>(lower - leaving.begin());
    const std::uint64_t high_begin = end - static_cast<std::uint64_t>(leaving.end() - lower);
    put(leaving.begin(), lower, begin);
    put(lower, leaving.end(), high_begin);
    grow_up(low_end);
    grow_down(end, high_begin);
    for (std::uint64_t row = begin; row < end;) {
      const std::uint64_t head = row++;
      while (tied_[row - begin] != 0)
        ++row;
      if (row - head > 1) on_tie(head, row, std::uint64_t{new_reaches_[head - begin]});
    }
  }

 private:
  static constexpr std::uint64_t least = 1024;
  static constexpr std::uint64_t sampled = 64;

  Pos meets(std::uint64_t p, std::uint64_t reach) const { return ranks_[(p + reach) / 2]; }
  /// Whether the member that meets position p is in the group. Half of its position tells, since
  /// what its neighbours would meet is no B* suffix.
  bool is_met(std::uint64_t p) const {
    return p >= reach_ && ranks_[(p - reach_) / 2] == static_cast<Pos>(begin_);
  }

  template <class Leaving>
  void put(Leaving from, Leaving to, std::uint64_t row) {
    for (Leaving i = from; i != to; ++i, ++row) {
      order_[row] = i->second;
      tied_[row - begin_] = i != from && (i - 1)->first == i->first;
      new_reaches_[row - begin_] = static_cast<Pos>(reach_ + reaches_[i->first]);
    }
  }
  void put_before(std::uint64_t row, std::uint64_t from) {
    order_[row] = static_cast<Pos>(order_[from] - reach_);
    new_reaches_[row - begin_] = static_cast<Pos>(reach_ + new_reaches_[from - begin_]);
  }

  /// Rows [begin_, next) have been put. Two rows that are put one after the other are tied if
  /// those that they meet are, or the same.
  void grow_up(std::uint64_t next) {
    std::uint64_t last = ~std::uint64_t{0}, head = begin_;
    for (std::uint64_t row = begin_; row < next; ++row) {
      if (tied_[row - begin_] == 0) head = row;
      if (!is_met(order_[row])) continue;
      put_before(next, row);
      tied_[next - begin_] = std::exchange(last, head) == head;
      ++next;
    }
  }
  /// Rows [next, end) have been put.
  void grow_down(std::uint64_t end, std::uint64_t next) {
    std::uint64_t last = ~std::uint64_t{0}, tail = end;
    for (std::uint64_t row = end; row-- > next;) {
      if (tied_[row + 1 - begin_] == 0) tail = row;
      if (!is_met(order_[row])) continue;
      put_before(--next, row);
      if (std::exchange(last, tail) == tail) tied_[next + 1 - begin_] = 1;
    }
  }

  Pos* order_;
  const Pos* ranks_;
  const Pos* reaches_;
  std::uint64_t begin_ = 0;
  std::uint64_t reach_ = 0;
  std::vector<Pos> new_reaches_;
  std::vector<std::uint8_t> tied_;
};

}  // namespace gsx
