// Finds the maximal matches of one strand of a query, one memory access after the other.
#pragma once

#include <cstdint>

#include "index/fm/kmer_words.hpp"
#include "search/exact/cpu_search.hpp"
#include "search/matches/match_piece.hpp"
#include "search/matches/row_extension.hpp"
#include "search/matches/text_compare.hpp"

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
/// Matches by chance are hardly longer than a k-mer. So while a match is short, a search backward
/// from the symbol behind it, and no text, tells whether it goes on: if not, that search has found
/// where the next match begins. Symbols that are fewer than a k-mer are looked up in the table.
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
    open_window(piece.begin);
  }
  /// Goes on to the next memory access. Whether a match was found, or there are no more of them.
  GSX_HD Event step(const Index& index) {
    found_ = false;
    switch (state_) {
      case State::begin:
        break;
      case State::kmer:
        take_kmer(index);
        break;
      case State::word:
        take_word(index);
        break;
      case State::ranks:
        take_ranks(index);
        break;
      case State::found:
        take_found(index);
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
    if (state_ == State::begin) begin_search(index);
    return found_ ? Event::match : Event::none;
  }
  /// Pre: step() has just found one.
  GSX_HD const StrandMatch& match() const { return match_; }
  /// What the next step does: threads with the same number run the same code. At most 9.
  GSX_HD std::uint32_t kind() const { return static_cast<std::uint32_t>(state_); }

 private:
  /// What the next step takes.
  enum class State : std::uint8_t {
    begin,   ///< no memory: a search begins
    kmer,    ///< the rows of a k-mer
    word,    ///< the rows of fewer symbols
    ranks,   ///< ranks of the rows of symbols, to extend these to the left
    found,   ///< no memory: symbols that a search has found
    sample,  ///< the position of a row
    left,    ///< the text before it
    locate,  ///< a step or the sample on the way to the position of a row
    right,   ///< the text that follows there
    ended
  };

  /// What a search backward from window_end_ to low_ is for: the match that begins at low_; the
  /// next one, which ends at window_end_ or later; or whether the match of symbols [low_,
  /// window_end_ - 1), which have the rows shorter_, is longer, and if not, the next one.
  enum class Sought : std::uint8_t { opening, next, longer };

  /// Symbols that must be left of a window for a comparison with the text to save more lines than
  /// it takes, and the symbols by which a row must have been extended: most rows that are left by
  /// chance are gone by then.
  static constexpr Offset least_compared = 4;
  static constexpr std::uint32_t least_single = 2;

  /// Symbols that a match has beyond a k-mer before its rows are located, and the text at their
  /// positions extends it: most matches by chance are shorter, and a search takes fewer lines.
  static constexpr Offset least_located = 6;

  /// Looks for the first match that begins at `start` or later. None begins before it that is not
  /// known.
  GSX_HD void open_window(Offset start) {
    if (start >= piece_end_ || strand_.length - start < min_length_) {
      state_ = State::ended;
      return;
    }
    sought_ = Sought::opening;
    search(start, start + smaller<Offset>(window_, strand_.length - start));
  }
  /// Searches backward from `end`, at most to `low`, from the end of this step on.
  GSX_HD void search(Offset low, Offset end) {
    low_ = low;
    window_end_ = end;
    state_ = State::begin;
  }
  GSX_HD void begin_search(const Index& index) {
    const KmerView& kmers = index.fm.kmers;
    singles_ = 0;
    if (kmers.k == 0) {
      search_without_kmer(index);
    } else if (window_end_ - low_ >= kmers.k) {
      at_ = window_end_ - kmers.k;
      place_ = kmer_slot(kmers, strand_, window_end_);
      index.prefetch_kmer(place_);
      state_ = State::kmer;
    } else {
      at_ = low_;
      word_ = word_bounds(kmers, strand_, low_, window_end_);
      index.prefetch_kmer(word_.first - (word_.first > 0 ? 1 : 0));
      index.prefetch_kmer(word_.last);
      state_ = State::word;
    }
  }
  GSX_HD void search_without_kmer(const Index& index) {
    at_ = window_end_;
    rows_ = index.fm.template all<Pos>();
    index.prefetch_ranks_of(rows_);
    state_ = State::ranks;
  }
  GSX_HD void take_kmer(const Index& index) {
    take_looked_up(index, index.fm.kmers.template interval<Pos>(place_));
  }
  GSX_HD void take_word(const Index& index) {
    Interval<Pos> rows;
    if (word_interval(index.fm.kmers, word_, strand_[window_end_ - 1], rows)) {
      take_looked_up(index, rows);
    } else {
      search_without_kmer(index);
    }
  }
  /// Takes the rows of symbols [at_, window_end_), if there are some.
  GSX_HD void take_looked_up(const Index& index, Interval<Pos> rows) {
    if (rows.end > index.fm.rows()) return fail(index);
    if (rows.begin < rows.end) {
      take_rows(index, rows);
    } else {
      take_absent(index);
    }
  }
  /// Symbols [at_, window_end_) do not occur, which are a k-mer or begin at low_.
  GSX_HD void take_absent(const Index& index) {
    if (sought_ == Sought::longer) take_shorter(index);
    if (sought_ == Sought::opening && window_end_ - low_ > min_length_) {
      search(low_, window_end_ - 1);
    } else if (window_end_ - at_ > min_length_) {
      search(at_ + 1, window_end_);
    } else {
      open_window(at_ + 1);
    }
  }
  /// Takes the rows of symbols [at_, window_end_), of which there are some. Where a longer match is
  /// sought, they are few symbols, and no text is compared.
  GSX_HD void take_rows(const Index& index, Interval<Pos> rows) {
    rows_ = rows;
    if (at_ == low_) {
      take_found(index);
    } else if (rows.count() == 1 && sought_ != Sought::longer && at_ - low_ >= least_compared &&
               singles_++ >= least_single && index.keeps(rows.begin)) {
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
    if (sought_ == Sought::longer) take_shorter(index);
    if (sought_ == Sought::opening && window_end_ - low_ > min_length_) {
      search(low_, window_end_ - 1);
    } else if (window_end_ - at_ >= min_length_) {
      take_found(index);
    } else {
      open_window(at_);
    }
  }
  /// The match of symbols [low_, window_end_ - 1) does not go on: the next one is sought.
  GSX_HD void take_shorter(const Index& index) {
    set_match(index, low_, window_end_ - 1, shorter_);
    sought_ = Sought::next;
  }
  /// Symbols [at_, window_end_) are as many as a match has at least, and their match begins there.
  GSX_HD void take_found(const Index& index) {
    if (at_ >= piece_end_) {
      state_ = State::ended;
    } else if (window_end_ == strand_.length) {
      if (found_) {  // a step gives one match
        state_ = State::found;
      } else {
        take_match(index, window_end_, rows_);
      }
    } else if (is_short(index)) {
      sought_ = Sought::longer;
      shorter_ = rows_;
      search(at_, window_end_ + 1);
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
  /// Whether symbols [at_, window_end_) are so few that a search extends them.
  GSX_HD bool is_short(const Index& index) const {
    const std::uint32_t k = index.fm.kmers.k;
    return k > 0 && window_end_ - at_ < k + least_located;
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
    if (window_end_ - at_ < min_length_ || (sought_ == Sought::opening && at_ > low_)) {
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
    set_match(index, at_, end, rows);
    go_on_after(end);
  }
  GSX_HD void set_match(const Index& index, Offset begin, Offset end, Interval<Pos> rows) {
    found_ = true;
    if (begins_piece(begin)) {
      const Interval<Pos> longer = index.fm.extend(rows, strand_[begin - 1]);
      found_ = longer.begin >= longer.end;
    }
    match_ = {begin, end - begin, rows.count()};
  }
  /// The match ends at `end`, and is only at place_.
  GSX_HD void take_match_at(const Index& index, Offset end) {
    found_ = !begins_piece(at_) || place_ == 0 || index.text.segments.starts_at(place_) ||
             index.text.symbols[place_ - 1] != strand_[at_ - 1];
    match_ = {at_, end - at_, 1};
    go_on_after(end);
  }
  /// Whether a match begins where the piece begins: only then it may go on to the left.
  GSX_HD bool begins_piece(Offset begin) const { return begin == piece_begin_ && begin > 0; }
  GSX_HD void go_on_after(Offset end) {
    if (end == strand_.length || at_ + 1 >= piece_end_) {
      state_ = State::ended;
    } else {
      sought_ = Sought::next;
      search(at_ + 1, end + 1);
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
  WordBounds word_;        ///< that is looked up
  std::uint64_t steps_;    ///< to locate row_
  Interval<Pos> rows_;     ///< of symbols [at_, window_end_)
  Interval<Pos> shorter_;  ///< of the match that may go on
  Pos row_;                ///< is located
  std::uint32_t singles_;  ///< symbols since one row was left
  bool kept_;              ///< whether row_ is one access away from its position
  Sought sought_;
  bool is_single_;  ///< whether place_ is the only one
  bool found_;
  State state_;
  RowExtension<Pos, Offset> extension_;
  StrandMatch match_;
};

}  // namespace gsx
