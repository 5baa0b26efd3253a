// Finds, among rows whose suffixes start alike, those that agree longest with what follows.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "index/fm/interval.hpp"

namespace gsx {

/// How the suffix of a row goes on behind the string of its interval, beside a query.
template <class Offset>
struct RowAgreement {
  static constexpr std::uint32_t ended = ~std::uint32_t{0};

  Offset equal;        ///< symbols on which both agree
  std::uint32_t next;  ///< the symbol of the suffix behind these; `ended` if either has none
  bool is_smaller;     ///< whether the suffix is smaller than the query
};

/// A search among the rows of an interval, which are sorted by what follows its string, for those
/// that agree longest with what follows in a query. The caller compares one row after the other.
///
/// Of many rows, the first and the last one are compared first: if they agree with one another
/// beyond what they share with the query, all rows do, as in texts of nearly equal genomes.
/// Otherwise, rows that agree equally long are neighbours of the place where the query would be, so
/// three binary searches are enough: for that place, and for both ends of those rows.
/// Cost: two comparisons, or mostly log2(rows) and four or five, at most two and three times the
/// logarithm.
/// Offset is what lengths of the query are counted in.
template <class Pos, class Offset = std::uint64_t>
class RowExtension {
 public:
  using Agreement = RowAgreement<Offset>;

  GSX_HD void start(Interval<Pos> rows) {
    phase_ = rows.count() < many ? Phase::place : Phase::first_row;
    below_ = above_ = 0;
    low_ = first_ = first_maybe_ = rows.begin;
    high_ = last_ = last_maybe_ = rows.end;
  }
  /// The row to compare next. Pre: the search has not ended.
  GSX_HD Pos row() const {
    if (phase_ == Phase::first_row) return low_;
    if (phase_ == Phase::last_row) return high_ - 1;
    return low_ + (high_ - low_) / 2;
  }
  /// Symbols that all rows left are known to agree with.
  GSX_HD Offset known() const {
    return phase_ != Phase::place ? 0 : below_ < above_ ? below_ : above_;
  }
  /// Takes how row() goes on. Returns whether the search has ended.
  GSX_HD bool take(const Agreement& row) {
    switch (phase_) {
      case Phase::first_row:
        first_row_ = row;
        phase_ = Phase::last_row;
        return false;
      case Phase::last_row:
        if (row.equal == first_row_.equal && row.next == first_row_.next) {
          below_ = row.equal;
          return true;
        }
        phase_ = Phase::place;
        take_ends(row);
        break;
      case Phase::place:
        take_place(this->row(), row);
        break;
      case Phase::first:
      case Phase::last:
        if ((row.equal >= best()) == (phase_ == Phase::first)) {
          high_ = this->row();
        } else {
          low_ = this->row() + 1;
        }
        break;
    }
    return low_ == high_ && next_phase();
  }
  /// The most symbols that any row agrees with, and the rows that agree with so many. Pre: the
  /// search has ended.
  GSX_HD Offset best() const { return below_ > above_ ? below_ : above_; }
  GSX_HD Interval<Pos> rows() const { return {first_, last_}; }

 private:
  enum class Phase : std::uint8_t { first_row, last_row, place, first, last };

  /// Rows of which comparing both ends first saves more than it costs.
  static constexpr Pos many = 8;

  /// Takes the first row, which has been compared before, and the last one.
  GSX_HD void take_ends(const Agreement& last_row) {
    const Pos end = high_;
    take_place(low_, first_row_);
    if (first_row_.is_smaller) {
      take_place(end - 1, last_row);
    } else if (last_row.equal < above_) {
      last_maybe_ = end - 1;
    } else {
      last_ = last_maybe_ = end;
    }
  }
  GSX_HD void take_place(Pos row, const Agreement& agreement) {
    if (agreement.is_smaller) {
      if (agreement.equal > below_) {
        first_maybe_ = low_;
        first_ = row;
        below_ = agreement.equal;
      }
      low_ = row + 1;
    } else {
      if (agreement.equal > above_) {
        last_maybe_ = high_;
        last_ = row + 1;
        above_ = agreement.equal;
      }
      high_ = row;
    }
  }
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
  Agreement first_row_;    ///< until the last row has been compared
};

}  // namespace gsx
