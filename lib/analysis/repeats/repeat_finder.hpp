// Maximal and supermaximal repeats, each with its places on both strands.
#pragma once

#include <bitset>
#include <compare>
#include <cstdint>
#include <limits>
#include <vector>

#include "analysis/repeats/lcp_intervals.hpp"
#include "analysis/repeats/repeat_values.hpp"
#include "analysis/repeats/shared_rows.hpp"
#include "analysis/repeats/strand_places.hpp"

namespace gsx {

/// Gives the repeats of a text, in the order in which LCP intervals close.
///
/// A maximal repeat is a string that occurs at least twice, and of which every string that is one
/// symbol longer, on either side, has fewer occurrences. In the suffix array it is an LCP interval
/// whose suffixes do not all have the same symbol before them. It is supermaximal, part of no other
/// maximal repeat, if no interval lies in that one and no two of these symbols are the same
/// (Abouelhoda, Kurtz and Ohlebusch, J. Discrete Algorithms 2004, sections 4 and 5).
///
/// On both strands, the text is that of BothStrands, where the reverse complement of a repeat is
/// a repeat with an interval of its own. Both are one class. It is given once, for the one of the
/// two that the leftmost of all places has on the forward strand. Where the leftmost places on both
/// strands are the same, the string is its own reverse complement; then its interval has each place
/// twice, and the places are given as those of the forward strand.
///
/// Cost: O(1) per row, and for each repeat its places that are given and O(log) to sort them; also
/// the rows of the innermost intervals for supermaximal repeats. Memory: an entry of 24 bytes (48
/// of wide positions) for each interval that a row lies in.
template <class Pos>
class RepeatFinder {
 public:
  RepeatFinder(const BothStrandsView& text, const SharedRows<Pos>& rows,
               const RepeatRequest& request, const TakeRepeat& take, RequireMemory require)
      : places_{text},
        rows_(rows),
        request_(request),
        take_(take),
        intervals_(*this, std::move(require)) {}
  RepeatFinder(const RepeatFinder&) = delete;

  // For SharedRows::for_each_group().
  void look_ahead(Pos position) const { places_.prefetch(position); }
  void begin(std::uint64_t row, Pos position) {
    group_ = row;
    intervals_.begin(row, summary_of(position));
  }
  void add(std::uint64_t row, Pos position, std::uint64_t lcp) {
    intervals_.add(row, lcp, summary_of(position));
  }
  void end() { intervals_.end(); }

  // For LcpIntervals.
  struct Summary {
    Pos first_begin = none;  ///< least begin of a place on the forward strand
    Pos first_end = none;    ///< least end of a place on the reverse one
    LeftSymbol left = 0;     ///< that all suffixes have before them, or `many`
  };
  void merge(Summary& into, const Summary& summary, std::uint64_t length) const;
  void close(const LcpInterval& interval, const Summary& summary);

 private:
  static constexpr Pos none = std::numeric_limits<Pos>::max();
  static constexpr LeftSymbol many = 257;

  /// A place, and the first row that is of it.
  struct FirstRow {
    std::uint64_t begin, row;
    friend auto operator<=>(const FirstRow&, const FirstRow&) = default;
  };

  Summary summary_of(Pos position) const;
  Pos position(std::uint64_t row) const { return rows_.row(group_, row); }
  bool have_different_lefts(const LcpInterval& interval) const;
  RepeatPlace place_of(Pos position, std::uint64_t length) const;
  void take_places(const LcpInterval& interval, std::uint64_t count, bool is_own_complement);
  void take_each_once(const LcpInterval& interval, std::uint64_t wanted);

  StrandPlaces places_;
  const SharedRows<Pos>& rows_;
  RepeatRequest request_;
  const TakeRepeat& take_;
  std::uint64_t group_ = 0;  ///< its first row
  std::vector<RepeatPlace> taken_;
  std::vector<FirstRow> first_rows_;
  LcpIntervals<Pos, RepeatFinder> intervals_;
};

extern template class RepeatFinder<std::uint32_t>;
extern template class RepeatFinder<std::uint64_t>;

}  // namespace gsx
