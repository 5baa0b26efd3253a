// Finds, among rows whose suffixes start alike, those that agree longest with what follows.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "fm/interval.hpp"

namespace gsx {

/// A binary search among the rows of an interval, which are sorted by what follows its string, for
/// those that agree longest with what follows in a query. The caller compares one row after the
/// other. Rows that agree equally long are neighbours of the place where the query would be, so
/// three searches are enough: for that place, and for both ends of those rows.
/// Cost: mostly log2(rows) and two or three comparisons, at most three times the logarithm.
/// Offset is what lengths of the query are counted in.
template <class Pos, class Offset = std::uint64_t>
class RowExtension {
 public:
  GSX_HD void start(Interval<Pos> rows) {
    phase_ = Phase::place;
    below_ = above_ = 0;
    low_ = first_ = first_maybe_ = rows.begin;
    high_ = last_ = last_maybe_ = rows.end;
  }
  /// The row to compare next. Pre: the search has not ended.
  GSX_HD Pos row() const { return low_ + (high_ - low_) / 2; }
  /// Symbols that all rows left are known to agree with.
  GSX_HD Offset known() const {
    return phase_ != Phase::place ? 0 : below_ < above_ ? below_ : above_;
  }
  /// Takes how many symbols row() agrees with, and whether its suffix is smaller than the query.
  /// Returns whether the search has ended.
  GSX_HD bool take(Offset equal, bool is_smaller) {
    const Pos row = this->row();
    if (phase_ == Phase::place) {
      if (is_smaller) {
        if (equal > below_) {
          first_maybe_ = low_;
          first_ = row;
          below_ = equal;
        }
        low_ = row + 1;
      } else {
        if (equal > above_) {
          last_maybe_ = high_;
          last_ = row + 1;
          above_ = equal;
        }
        high_ = row;
      }
    } else if ((equal >= best()) == (phase_ == Phase::first)) {
      high_ = row;
    } else {
      low_ = row + 1;
    }
    return low_ == high_ && next_phase();
  }
  /// The most symbols that any row agrees with, and the rows that agree with so many. Pre: the
  /// search has ended.
  GSX_HD Offset best() const { return below_ > above_ ? below_ : above_; }
  GSX_HD Interval<Pos> rows() const { return {first_, last_}; }

 private:
  enum class Phase : std::uint8_t { place, first, last };

  /// Goes on with the next search that is needed; returns whether there is none.
  GSX_HD bool next_phase() {
    if (phase_ == Phase::place) {
      const Pos place = low_;
      if (below_ < above_) first_ = first_maybe_ = place;
      if (above_ < below_) last_ = last_maybe_ = place;
      phase_ = Phase::first;
      low_ = first_maybe_;
      high_ = first_;
      if (low_ < high_) return false;
    }
    if (phase_ == Phase::first) {
      first_ = low_;
      phase_ = Phase::last;
      low_ = last_;
      high_ = last_maybe_;
      if (low_ < high_) return false;
    }
    last_ = low_;
    return true;
  }

  Phase phase_ = Phase::place;
  Pos low_, high_;         ///< what is sought is in [low_, high_]
  Pos first_maybe_;        ///< rows from here to first_ may agree with as many symbols as first_
  Pos first_;              ///< from here to the place, rows agree with at least below_ symbols
  Pos last_, last_maybe_;  ///< the same behind the place; both are ends
  Offset below_, above_;   ///< symbols that the rows next to the place agree with
};

}  // namespace gsx
