// Maximal pairs: places of a repeat that cannot both be made longer.
#pragma once

#include <cstdint>

#include "analysis/repeats/lcp_intervals.hpp"
#include "analysis/repeats/repeat_values.hpp"
#include "analysis/repeats/shared_rows.hpp"
#include "analysis/repeats/strand_places.hpp"
#include "base/buffer.hpp"

namespace gsx {

/// Gives all maximal pairs of a text, each once. They are the pairs of suffixes from different
/// parts of an LCP interval, inner intervals or single rows, that have different symbols before
/// them. So each interval has a list of its rows for each such symbol (Gusfield, Algorithms on
/// strings, trees, and sequences, 1997, section 7.12.3; Abouelhoda, Kurtz and Ohlebusch, J.
/// Discrete Algorithms 2004, section 4).
///
/// On both strands, the suffix array has the mirror image of each pair, too, on the other strands;
/// of the two, one is given.
/// Cost: O(1) per row and per pair. Memory: 4 bytes per row (8 of wide positions), 16 (32) for each
/// interval that a row lies in, and as many for each of their lists.
template <class Pos>
class RepeatPairFinder {
 public:
  RepeatPairFinder(const BothStrandsView& text, const SharedRows<Pos>& rows,
                   const TakeRepeatPair& take, const RequireMemory& require)
      : places_{text},
        rows_(rows),
        take_(take),
        next_(rows.pairs() + 1, "pairs of repeats"),
        growth_(require),
        intervals_(*this, require) {
    touch_pages(next_, 1);
  }
  RepeatPairFinder(const RepeatPairFinder&) = delete;

  // For SharedRows::for_each_group().
  void look_ahead(Pos position) const { places_.prefetch(position); }
  void begin(std::uint64_t row, Pos position) {
    group_ = row;
    intervals_.begin(row, list_of(row, position));
  }
  void add(std::uint64_t row, Pos position, std::uint64_t lcp) {
    intervals_.add(row, lcp, list_of(row, position));
  }
  void end() { intervals_.end(); }

  // For LcpIntervals.
  struct Summary {
    Pos lists = 0;  ///< number of the first list
  };
  void merge(Summary& into, const Summary& summary, std::uint64_t length);
  void close(const LcpInterval& interval, const Summary& summary);

 private:
  static constexpr Pos none = ~Pos{0};

  /// Rows that have one symbol before them; next_ leads from each to the one behind it.
  struct List {
    Pos head, tail;
    Pos next;  ///< list of the same interval, or none
    LeftSymbol left;
  };

  Summary list_of(std::uint64_t row, Pos position);
  void drop(Pos list);
  void give_pairs(const List& a, const List& b, std::uint64_t length) const;
  void give(Pos p, Pos q, std::uint64_t length) const;

  StrandPlaces places_;
  const SharedRows<Pos>& rows_;
  const TakeRepeatPair& take_;
  std::uint64_t group_ = 0;  ///< its first row
  Buffer<Pos> next_;         ///< by row
  GrowingArray<List> lists_;
  MemoryGrowth growth_;  ///< of lists_
  Pos unused_ = none;    ///< the first list that can be used again
  LcpIntervals<Pos, RepeatPairFinder> intervals_;
};

extern template class RepeatPairFinder<std::uint32_t>;
extern template class RepeatPairFinder<std::uint64_t>;

}  // namespace gsx
