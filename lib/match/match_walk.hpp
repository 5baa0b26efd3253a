// Finds the maximal matches of one strand of a query, one memory access after the other.
#pragma once

#include <cstdint>

#include "match/match_piece.hpp"
#include "match/row_extension.hpp"
#include "match/text_compare.hpp"
#include "search/cpu_search.hpp"

namespace gsx {

/// The search in one piece.
///
/// A window of min_length symbols is searched backward. If it does not occur, no match includes the
/// symbol where it failed and the last of the window, so the next window begins after that symbol.
/// If it occurs, nothing to the left of it belongs to its match, and its rows tell how far it goes
/// on to the right, by the text at their positions. All further matches include the symbol where
/// this ended: a search backward from there says where the next window begins.
///
/// If min_length is less than a k-mer, a window is as long as a k-mer, or as what is left. If it
/// does not occur, it is shortened at its end, down to min_length.
///
/// The search stops wherever it is about to read memory that may not be in the cache, and
/// prefetches it. So a thread of the CPU runs many of them in turn, and their cache misses overlap.
///
/// Index is SearchedIndex or does the same; Strand is StrandCodes or another form of the codes, for
/// which there are kmer_slot(), common_prefix() and common_suffix().
template <class Pos, class Index = SearchedIndex, class Strand = StrandCodes>
class MatchWalk {
 public:
  using Offset = typename Strand::Offset;
  enum class Event : std::uint8_t { none, match, end };

  GSX_HD void start(const Index& index, const PieceOf<Strand>& piece, std::uint64_t min_length) {
    strand_ = piece.strand;
    piece_begin_ = piece.begin;
    piece_end_ = piece.end;
    min_length_ = static_cast<Offset>(min_length);
    window_ = index.fm.kmers.k > min_length ? index.fm.kmers.k : min_length_;
    open_window(index, piece.begin);
  }
  /// Goes on to the next memory access. Whether a match was found, or there are no more of them.
  GSX_HD Event step(const Index& index) {
    found_ = false;
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
      case State::left:
        compare_left(index);
        break;
      case State::locate:
        step_back(index);
        break;
      case State::right:
        compare_right(index);
        break;
      case State::ended:
        return Event::end;
    }
    return found_ ? Event::match : Event::none;
  }
  /// Pre: step() has just found one.
  GSX_HD const StrandMatch& match() const { return match_; }

 private:
  /// What the next step takes: the rows of a k-mer, ranks, the sample of a row, the text to the
  /// left of its position, a step or the sample on the way to the position of a row, the text to
  /// the right of it.
  enum class State : std::uint8_t { kmer, ranks, sample, left, locate, right, ended };

  /// Symbols that must be left of a window for a comparison with the text to save more lines than
  /// it takes, and the symbols by which a row must have been extended: most rows that are left by
  /// chance are gone by then.
  static constexpr Offset least_compared = 4;
  static constexpr std::uint32_t least_single = 2;

  /// Looks for the first match that begins at `start` or later. None begins before it that is not
  /// known.
  GSX_HD void open_window(const Index& index, Offset start) {
    if (start >= piece_end_ || strand_.length - start < min_length_) {
      state_ = State::ended;
      return;
    }
    opens_ = true;
    search(index, start, start + smaller<Offset>(window_, strand_.length - start));
  }
  /// Searches backward from `end`, at most to `low`.
  GSX_HD void search(const Index& index, Offset low, Offset end) {
    const FmView& fm = index.fm;
    low_ = low;
    window_end_ = at_ = end;
    singles_ = 0;
    if (fm.kmers.k > 0 && end - low >= fm.kmers.k) {
      at_ -= fm.kmers.k;
      place_ = kmer_slot(fm.kmers, strand_, end);
      index.prefetch_kmer(place_);
      state_ = State::kmer;
    } else {
      search_without_kmer(index);
    }
  }
  GSX_HD void search_without_kmer(const Index& index) {
    at_ = window_end_;
    rows_ = index.fm.template all<Pos>();
    index.prefetch_ranks_of(rows_);
    state_ = State::ranks;
  }
  GSX_HD void take_kmer(const Index& index) {
    const Interval<Pos> rows = index.fm.kmers.template interval<Pos>(place_);
    if (rows.end > index.fm.rows()) return fail(index);
    if (rows.begin < rows.end) {
      take_rows(index, rows);
    } else if (index.fm.kmers.k <= min_length_) {
      open_window(index, at_ + 1);
    } else if (opens_) {
      take_failed(index);
    } else {
      search_without_kmer(index);
    }
  }
  /// Takes the rows of symbols [at_, window_end_), of which there are some.
  GSX_HD void take_rows(const Index& index, Interval<Pos> rows) {
    rows_ = rows;
    if (at_ == low_) {
      take_found(index);
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
    if (rows.begin >= rows.end) {
      take_failed(index);
    } else {
      if (rows.end > index.fm.rows()) return fail(index);
      --at_;
      take_rows(index, rows);
    }
  }
  /// Symbols [at_, window_end_) occur, and with the symbol before them they do not.
  GSX_HD void take_failed(const Index& index) {
    if (opens_ && window_end_ - low_ > min_length_) {
      search(index, low_, window_end_ - 1);
    } else if (window_end_ - at_ >= min_length_) {
      take_found(index);
    } else {
      open_window(index, at_);
    }
  }
  /// Symbols [at_, window_end_) are as many as a match has at least, and their match begins there.
  GSX_HD void take_found(const Index& index) {
    if (at_ >= piece_end_) {
      state_ = State::ended;
    } else if (window_end_ == strand_.length) {
      take_match(index, window_end_, rows_);
    } else {
      is_single_ = rows_.count() == 1;
      if (is_single_) {
        locate(index, rows_.begin);
      } else {
        extension_.start(rows_);
        locate(index, extension_.row());
      }
    }
  }

  GSX_HD void take_sample(const Index& index) {
    place_ = index.position_of_kept(rows_.begin);
    if (place_ >= index.fm.rows()) return fail(index);
    index.prefetch_text(place_ - smaller<std::uint64_t>(place_, at_ - low_));
    index.prefetch_text(place_ + (window_end_ - at_));
    state_ = State::left;
  }
  /// Takes the text before the only position of symbols [at_, window_end_).
  GSX_HD void compare_left(const Index& index) {
    const SegmentsView& segments = index.text.segments;
    const std::uint64_t segment = segments.starts[segments.segment_at(place_)];
    if (segment > place_) return fail(index);
    const auto most = static_cast<Offset>(smaller<std::uint64_t>(at_ - low_, place_ - segment));
    const Offset equal = common_suffix(index.text.symbols, place_, strand_, at_, most);
    at_ -= equal;
    place_ -= equal;
    if (window_end_ - at_ < min_length_ || (opens_ && at_ > low_)) {
      take_failed(index);
    } else if (at_ >= piece_end_) {
      state_ = State::ended;
    } else {
      is_single_ = true;
      compare_right(index);
    }
  }

  GSX_HD void locate(const Index& index, Pos row) {
    row_ = row;
    steps_ = 0;
    prefetch_row(index);
    state_ = State::locate;
  }
  GSX_HD void prefetch_row(const Index& index) {
    kept_ = index.keeps(row_);
    if (kept_) {
      index.prefetch_kept(row_);
    } else {
      index.prefetch_ranks_of(Interval<Pos>{row_, row_});
    }
  }
  GSX_HD void step_back(const Index& index) {
    if (!index.step_back(row_, steps_, place_, kept_)) {
      if (row_ >= index.fm.rows() || steps_ > index.fm.rows()) return fail(index);
      prefetch_row(index);
      return;
    }
    if (place_ >= index.fm.rows()) return fail(index);
    index.prefetch_text(place_ + (window_end_ - at_));
    state_ = State::right;
  }
  /// Takes the text that follows symbols [at_, window_end_) at place_.
  GSX_HD void compare_right(const Index& index) {
    const std::uint64_t behind = place_ + (window_end_ - at_);
    const std::uint64_t separator = index.text.segments.separator_from(place_);
    if (separator < behind) return fail(index);
    const Offset known = is_single_ ? 0 : extension_.known();
    const Offset left = strand_.length - window_end_;
    const std::uint64_t room = separator - behind;
    if (known > room || known > left) return fail(index);
    const auto most = static_cast<Offset>(smaller<std::uint64_t>(left, room));
    const Offset equal = known + common_prefix(index.text.symbols, behind + known, strand_,
                                               window_end_ + known, most - known);
    if (is_single_) {
      take_match_at(index, window_end_ + equal);
      return;
    }
    RowAgreement<Offset> row{equal, RowAgreement<Offset>::ended, equal < left};
    if (equal < left && equal < room) {
      row.next = static_cast<std::uint32_t>(index.text.symbols[behind + equal]);
      row.is_smaller = row.next < strand_[window_end_ + equal];
    }
    if (extension_.take(row)) {
      take_match(index, window_end_ + extension_.best(), extension_.rows());
    } else {
      locate(index, extension_.row());
    }
  }

  /// The match ends at `end`, and has those rows.
  GSX_HD void take_match(const Index& index, Offset end, Interval<Pos> rows) {
    if (begins_piece()) {
      const Interval<Pos> longer = index.fm.extend(rows, strand_[at_ - 1]);
      found_ = longer.begin >= longer.end;
    } else {
      found_ = true;
    }
    go_on_after(index, end, rows.count());
  }
  /// The match ends at `end`, and is only at place_.
  GSX_HD void take_match_at(const Index& index, Offset end) {
    found_ = !begins_piece() || place_ == 0 || index.text.segments.starts_at(place_) ||
             index.text.symbols[place_ - 1] != strand_[at_ - 1];
    go_on_after(index, end, 1);
  }
  /// Whether the match begins where the piece begins: only then it may go on to the left.
  GSX_HD bool begins_piece() const { return at_ == piece_begin_ && at_ > 0; }
  GSX_HD void go_on_after(const Index& index, Offset end, Pos count) {
    match_ = {at_, end - at_, count};
    if (end == strand_.length || at_ + 1 >= piece_end_) {
      state_ = State::ended;
    } else {
      opens_ = false;
      search(index, at_ + 1, end + 1);
    }
  }

  /// The index leads outside itself.
  GSX_HD void fail(const Index& index) {
    state_ = State::ended;
    index.raise_fault();
  }
  template <class T>
  GSX_HD static T smaller(T a, T b) {
    return a < b ? a : b;
  }

  Strand strand_;
  Offset piece_begin_, piece_end_, min_length_;
  Offset window_;  ///< symbols of a window, if there are so many
  Offset low_;     ///< the search goes back to here at most
  Offset at_;      ///< symbols [at_, window_end_) are known to occur
  Offset window_end_;
  std::uint64_t place_;    ///< slot of the k-mer; or position of symbol at_ in the text
  std::uint64_t steps_;    ///< to locate row_
  Interval<Pos> rows_;     ///< of symbols [at_, window_end_)
  Pos row_;                ///< is located
  std::uint32_t singles_;  ///< symbols since one row was left
  bool kept_;              ///< whether row_ is one access away from its position
  bool opens_;      ///< whether a match is sought that begins at low_; else, where the one begins
                    ///< that ends at window_end_ or later
  bool is_single_;  ///< whether place_ is the only one
  bool found_;
  State state_;
  RowExtension<Pos, Offset> extension_;
  StrandMatch match_;
};

}  // namespace gsx
