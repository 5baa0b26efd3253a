// Finds whether codes have a match that is long enough, one memory access after the other.
#pragma once

#include <cstdint>

#include "search/exact/cpu_search.hpp"
#include "search/matches/text_compare.hpp"

namespace gsx {

/// The search in one strand, which holds no symbol outside the alphabet.
///
/// A window of min_length symbols is searched backward. If it occurs, that is the answer. If not,
/// no window occurs that has both the symbol where the search failed and the last of this window,
/// so the next one begins after that symbol: a strand without matches takes few windows.
///
/// The search stops wherever it is about to read memory that may not be in the cache, and
/// prefetches it. So a thread of the CPU runs many of them in turn, and their cache misses overlap.
///
/// Index and Strand are those of MatchWalk.
template <class Pos, class Index = SearchedIndex, class Strand = StrandCodes>
class DetectWalk {
 public:
  using Offset = typename Strand::Offset;
  enum class Event : std::uint8_t { none, found, end };

  /// Pre: min_length <= strand.length.
  GSX_HD void start(const Index& index, const Strand& strand, Offset min_length) {
    strand_ = strand;
    min_length_ = min_length;
    open_window(index, 0);
  }
  /// Goes on to the next memory access. Whether a match was found, or there is none.
  GSX_HD Event step(const Index& index) {
    switch (state_) {
      case State::kmer:
        take_kmer(index);
        break;
      case State::ranks:
        take_ranks(index);
        break;
      case State::sample:
        take_sample(index);
        break;
      case State::text:
        compare_left(index);
        break;
      case State::found:
        return Event::found;
      case State::ended:
        return Event::end;
    }
    return Event::none;
  }

 private:
  /// What the next step takes: the rows of a k-mer, ranks, the sample of a row, the text to the
  /// left of its position.
  enum class State : std::uint8_t { kmer, ranks, sample, text, found, ended };

  /// Symbols that must be left of a window for a comparison with the text to save more lines than
  /// it takes, and the symbols by which a row must have been extended: most rows that are left by
  /// chance are gone by then.
  static constexpr Offset least_compared = 4;
  static constexpr std::uint32_t least_single = 2;

  /// Looks for the first window that occurs and begins at `start` or later.
  GSX_HD void open_window(const Index& index, Offset start) {
    const FmView& fm = index.fm;
    if (strand_.length - start < min_length_) {
      state_ = State::ended;
      return;
    }
    low_ = start;
    at_ = start + min_length_;
    singles_ = 0;
    if (fm.kmers.k > 0 && fm.kmers.k <= min_length_) {
      place_ = kmer_slot(fm.kmers, strand_, at_);
      at_ -= fm.kmers.k;
      index.prefetch_kmer(place_);
      state_ = State::kmer;
    } else {
      rows_ = fm.template all<Pos>();
      index.prefetch_ranks_of(rows_);
      state_ = State::ranks;
    }
  }
  GSX_HD void take_kmer(const Index& index) {
    const Interval<Pos> rows = index.fm.kmers.template interval<Pos>(place_);
    if (rows.end > index.fm.rows()) return fail(index);
    if (rows.begin >= rows.end) {
      open_window(index, at_ + 1);
    } else {
      take_rows(index, rows);
    }
  }
  /// Takes the rows of the symbols from at_ on, of which there are some.
  GSX_HD void take_rows(const Index& index, Interval<Pos> rows) {
    rows_ = rows;
    if (at_ == low_) {
      state_ = State::found;
    } else if (rows.count() == 1 && at_ - low_ >= least_compared && singles_++ >= least_single &&
               index.keeps(rows.begin)) {
      index.prefetch_kept(rows.begin);
      state_ = State::sample;
    } else {
      index.prefetch_ranks_of(rows);
      state_ = State::ranks;
    }
  }
  GSX_HD void take_ranks(const Index& index) {
    const Interval<Pos> rows = index.fm.extend(rows_, strand_[at_ - 1]);
    if (rows.begin >= rows.end) return open_window(index, at_);
    if (rows.end > index.fm.rows()) return fail(index);
    --at_;
    take_rows(index, rows);
  }
  GSX_HD void take_sample(const Index& index) {
    place_ = index.position_of_kept(rows_.begin);
    if (place_ >= index.fm.rows()) return fail(index);
    const std::uint64_t left = at_ - low_;
    index.prefetch_text(place_ - (left < place_ ? left : place_));
    state_ = State::text;
  }
  /// Takes the text before the only position of the symbols from at_ on.
  GSX_HD void compare_left(const Index& index) {
    const SegmentsView& segments = index.text.segments;
    const std::uint64_t segment = segments.starts[segments.segment_at(place_)];
    if (segment > place_) return fail(index);
    const Offset left = at_ - low_;
    const std::uint64_t room = place_ - segment;
    at_ -= common_suffix(index.text.symbols, place_, strand_, at_,
                         room < left ? static_cast<Offset>(room) : left);
    if (at_ == low_) {
      state_ = State::found;
    } else {
      open_window(index, at_);
    }
  }
  /// The index leads outside itself.
  GSX_HD void fail(const Index& index) {
    state_ = State::ended;
    index.raise_fault();
  }

  Strand strand_;
  Offset min_length_;
  Offset low_;             ///< where the window begins
  Offset at_;              ///< its symbols from here on are known to occur
  std::uint64_t place_;    ///< slot of the k-mer; or position of symbol at_ in the text
  Interval<Pos> rows_;     ///< of the symbols that are known to occur
  std::uint32_t singles_;  ///< symbols since one row was left
  State state_;
};

}  // namespace gsx
