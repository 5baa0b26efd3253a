// Finds the maximal matches of one strand of a query, one memory access after the other.
#pragma once

#include <algorithm>
#include <cstdint>

#include "match/row_extension.hpp"
#include "match/text_compare.hpp"
#include "search/cpu_search.hpp"
#include "search/index_fault.hpp"
#include "search/search_state.hpp"
#include "search/walk_steps.hpp"

namespace gsx {

/// Where to look for matches: those that begin in [begin, end) of a strand, which holds no symbol
/// outside the alphabet. They may end anywhere in it.
struct MatchPiece {
  StrandCodes strand;
  std::uint64_t begin;
  std::uint64_t end;
};

/// A maximal match of one strand, in its coordinates.
struct StrandMatch {
  std::uint64_t begin;
  std::uint64_t length;
  std::uint64_t count;
};

/// The search in one piece.
///
/// A window of min_length symbols is searched backward. If it does not occur, no match includes the
/// symbol where it failed and the last of the window, so the next window begins after that symbol.
/// If it occurs, nothing to the left of it belongs to its match, and its rows tell how far it goes
/// on to the right, by the text at their positions. All further matches include the symbol where
/// this ended: a search backward from there says where the next window begins.
///
/// The search stops wherever it is about to read memory that may not be in the cache, and
/// prefetches it. So a thread runs many of them in turn, and their cache misses overlap.
template <class Pos>
class MatchWalk {
 public:
  enum class Event : std::uint8_t { none, match, end };

  GSX_HD void start(const SearchedIndex& index, const MatchPiece& piece, std::uint64_t min_length) {
    strand_ = piece.strand;
    piece_begin_ = piece.begin;
    piece_end_ = piece.end;
    min_length_ = min_length;
    uses_kmers_ = index.fm.kmers.k > 0 && index.fm.kmers.k <= min_length;
    open_window(index, piece.begin);
  }
  /// Goes on to the next memory access. Whether a match was found, or there are no more of them.
  GSX_HD Event step(const SearchedIndex& index) {
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
  static constexpr std::uint64_t least_compared = 4;
  static constexpr std::uint32_t least_single = 2;

  /// Looks for the first match that begins at `start` or later. None begins before it that is not
  /// known.
  GSX_HD void open_window(const SearchedIndex& index, std::uint64_t start) {
    if (start >= piece_end_ || strand_.length - start < min_length_) {
      state_ = State::ended;
      return;
    }
    search(index, start, start + min_length_);
  }
  /// Searches backward from `end`, at most to `low`.
  GSX_HD void search(const SearchedIndex& index, std::uint64_t low, std::uint64_t end) {
    const FmView& fm = index.fm;
    low_ = low;
    window_end_ = at_ = end;
    singles_ = 0;
    if (uses_kmers_ && end - low >= fm.kmers.k) {
      at_ -= fm.kmers.k;
      std::uint64_t i = end;
      slot_ = fm.kmers.slot([&]() -> std::uint32_t { return strand_[--i]; });
      prefetch_bytes(fm.kmers.address(slot_), 16);
      state_ = State::kmer;
    } else {
      rows_ = fm.template all<Pos>();
      prefetch_ranks_of(fm, rows_);
      state_ = State::ranks;
    }
  }
  GSX_HD void take_kmer(const SearchedIndex& index) {
    const Interval<Pos> rows = index.fm.kmers.template interval<Pos>(slot_);
    if (rows.end > index.fm.rows()) throw_index_fault();
    if (rows.begin >= rows.end) {
      open_window(index, at_ + 1);
    } else {
      take_rows(index, rows);
    }
  }
  /// Takes the rows of symbols [at_, window_end_), of which there are some.
  GSX_HD void take_rows(const SearchedIndex& index, Interval<Pos> rows) {
    rows_ = rows;
    const FmView& fm = index.fm;
    if (at_ == low_) {
      take_found(index);
    } else if (rows.count() == 1 && at_ - low_ >= least_compared && singles_++ >= least_single &&
               fm.sampling.keeps(rows.begin)) {
      prefetch_bytes(fm.sample_address(rows.begin), 8);
      state_ = State::sample;
    } else {
      prefetch_ranks_of(fm, rows);
      state_ = State::ranks;
    }
  }
  GSX_HD void take_ranks(const SearchedIndex& index) {
    const Interval<Pos> rows = index.fm.extend(rows_, strand_[at_ - 1]);
    if (rows.begin >= rows.end) {
      take_failed(index);
    } else {
      if (rows.end > index.fm.rows()) throw_index_fault();
      --at_;
      take_rows(index, rows);
    }
  }
  /// Symbols [at_, window_end_) occur, and with the symbol before them they do not.
  GSX_HD void take_failed(const SearchedIndex& index) {
    if (window_end_ - at_ >= min_length_) {
      take_found(index);
    } else {
      open_window(index, at_);
    }
  }
  /// Symbols [at_, window_end_) are as many as a match has at least, and their match begins there.
  GSX_HD void take_found(const SearchedIndex& index) {
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

  GSX_HD void take_sample(const SearchedIndex& index) {
    position_ = index.fm.samples[index.fm.sampling.block(rows_.begin)];
    if (position_ >= index.fm.rows()) throw_index_fault();
    prefetch_text(index, position_ - std::min(position_, at_ - low_));
    prefetch_text(index, position_ + (window_end_ - at_));
    state_ = State::left;
  }
  /// Takes the text before the only position of symbols [at_, window_end_).
  GSX_HD void compare_left(const SearchedIndex& index) {
    const SegmentsView& segments = index.text.segments;
    const std::uint64_t segment = segments.starts[segments.segment_at(position_)];
    if (segment > position_) throw_index_fault();
    const std::uint64_t most = std::min(at_ - low_, position_ - segment);
    const std::uint64_t equal = common_suffix(index.text.symbols, position_, strand_, at_, most);
    at_ -= equal;
    position_ -= equal;
    if (window_end_ - at_ < min_length_) {
      open_window(index, at_);
    } else if (at_ >= piece_end_) {
      state_ = State::ended;
    } else {
      is_single_ = true;
      compare_right(index);
    }
  }

  GSX_HD void locate(const SearchedIndex& index, Pos row) {
    row_ = row;
    steps_ = 0;
    prefetch_row(index);
    state_ = State::locate;
  }
  GSX_HD void prefetch_row(const SearchedIndex& index) {
    kept_ = index.fm.sampling.keeps(row_);
    if (kept_) {
      prefetch_bytes(index.fm.sample_address(row_), 8);
    } else {
      prefetch_ranks_of(index.fm, {row_, row_});
    }
  }
  GSX_HD void step_back(const SearchedIndex& index) {
    if (!index.fm.step_back(row_, steps_, position_, kept_)) {
      if (row_ >= index.fm.rows() || steps_ > index.fm.rows()) throw_index_fault();
      prefetch_row(index);
      return;
    }
    if (position_ >= index.fm.rows()) throw_index_fault();
    prefetch_text(index, position_ + (window_end_ - at_));
    state_ = State::right;
  }
  /// Takes the text that follows symbols [at_, window_end_) at position_.
  GSX_HD void compare_right(const SearchedIndex& index) {
    const std::uint64_t behind = position_ + (window_end_ - at_);
    const std::uint64_t separator = index.text.segments.separator_from(position_);
    if (separator < behind) throw_index_fault();
    const std::uint64_t known = is_single_ ? 0 : extension_.known();
    const std::uint64_t left = strand_.length - window_end_, room = separator - behind;
    if (known > room || known > left) throw_index_fault();
    const std::uint64_t equal =
        known + common_prefix(index.text.symbols, behind + known, strand_, window_end_ + known,
                              std::min(left, room) - known);
    if (is_single_) {
      take_match_at(index, window_end_ + equal);
      return;
    }
    const bool is_smaller = equal < left && (equal == room || index.text.symbols[behind + equal] <
                                                                  strand_[window_end_ + equal]);
    if (extension_.take(equal, is_smaller)) {
      take_match(index, window_end_ + extension_.best(), extension_.rows());
    } else {
      locate(index, extension_.row());
    }
  }

  /// The match ends at `end`, and has those rows.
  GSX_HD void take_match(const SearchedIndex& index, std::uint64_t end, Interval<Pos> rows) {
    if (begins_piece()) {
      const Interval<Pos> longer = index.fm.extend(rows, strand_[at_ - 1]);
      found_ = longer.begin >= longer.end;
    } else {
      found_ = true;
    }
    go_on_after(index, end, rows.count());
  }
  /// The match ends at `end`, and is only at position_.
  GSX_HD void take_match_at(const SearchedIndex& index, std::uint64_t end) {
    found_ = !begins_piece() || position_ == 0 || index.text.segments.starts_at(position_) ||
             index.text.symbols[position_ - 1] != strand_[at_ - 1];
    go_on_after(index, end, 1);
  }
  /// Whether the match begins where the piece begins: only then it may go on to the left.
  GSX_HD bool begins_piece() const { return at_ == piece_begin_ && at_ > 0; }
  GSX_HD void go_on_after(const SearchedIndex& index, std::uint64_t end, std::uint64_t count) {
    match_ = {at_, end - at_, count};
    if (end == strand_.length || at_ + 1 >= piece_end_) {
      state_ = State::ended;
    } else {
      search(index, at_ + 1, end + 1);
    }
  }

  GSX_HD static void prefetch_ranks_of(const FmView& fm, Interval<Pos> rows) {
    NoMeter meter;
    prefetch_ranks(fm.bwt.levels[0], rows.begin, rows.end, meter);
  }
  GSX_HD static void prefetch_text(const SearchedIndex& index, std::uint64_t position) {
    __builtin_prefetch(index.text.symbols.bytes + (position * index.text.symbols.bits >> 3));
  }

  StrandCodes strand_;
  std::uint64_t piece_begin_, piece_end_, min_length_;
  std::uint64_t low_;  ///< the search goes back to here at most
  std::uint64_t at_;   ///< symbols [at_, window_end_) are known to occur
  std::uint64_t window_end_;
  std::uint64_t slot_;      ///< of the k-mer
  std::uint64_t position_;  ///< of symbol at_ in the text
  std::uint64_t steps_;     ///< to locate row_
  Interval<Pos> rows_;      ///< of symbols [at_, window_end_)
  Pos row_;                 ///< is located
  std::uint32_t singles_;   ///< symbols since one row was left
  bool kept_;               ///< whether row_ is sampled
  bool uses_kmers_;
  bool is_single_;  ///< whether position_ is the only one
  bool found_;
  State state_;
  RowExtension<Pos> extension_;
  StrandMatch match_;
};

}  // namespace gsx
