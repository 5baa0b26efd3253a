// Finds whether a strand of a query has a match that is long enough, one memory access after the
// other.
#pragma once

#include <algorithm>
#include <cstdint>

#include "match/match_walk.hpp"
#include "match/text_compare.hpp"
#include "search/cpu_search.hpp"
#include "search/index_fault.hpp"
#include "search/search_state.hpp"

namespace gsx {

/// The search in one piece, whose strand may hold symbols outside the alphabet.
///
/// A window of min_length symbols is searched backward. If it occurs, that is the answer. If not,
/// no window occurs that has both the symbol where the search failed and the last of this window,
/// so the next one begins after that symbol: a strand without matches takes few windows.
///
/// The search stops wherever it is about to read memory that may not be in the cache, and
/// prefetches it. So a thread runs many of them in turn, and their cache misses overlap.
template <class Pos>
class DetectWalk {
 public:
  enum class Event : std::uint8_t { none, found, end };

  GSX_HD void start(const SearchedIndex& index, const MatchPiece& piece, std::uint64_t min_length) {
    strand_ = piece.strand;
    end_ = piece.end;
    min_length_ = min_length;
    uses_kmers_ = index.fm.kmers.k > 0 && index.fm.kmers.k <= min_length;
    open_window(index, piece.begin);
  }
  /// Goes on to the next memory access. Whether a match was found, or there is none.
  GSX_HD Event step(const SearchedIndex& index) {
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
  static constexpr std::uint64_t least_compared = 4;
  static constexpr std::uint32_t least_single = 2;

  /// Looks for the first window that occurs and begins at `start` or later.
  GSX_HD void open_window(const SearchedIndex& index, std::uint64_t start) {
    const FmView& fm = index.fm;
    while (start < end_ && strand_.length - start >= min_length_) {
      low_ = start;
      at_ = start + min_length_;
      singles_ = 0;
      if (!uses_kmers_) {
        rows_ = fm.template all<Pos>();
        prefetch_ranks_of(fm, rows_);
        state_ = State::ranks;
        return;
      }
      slot_ = fm.kmers.slot([&]() -> std::uint32_t { return strand_[--at_]; });
      if (slot_ != KmerView::none) {
        prefetch_bytes(fm.kmers.address(slot_), 16);
        state_ = State::kmer;
        return;
      }
      start = at_ + 1;  // behind a symbol outside the alphabet
    }
    state_ = State::ended;
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
  /// Takes the rows of the symbols from at_ on, of which there are some.
  GSX_HD void take_rows(const SearchedIndex& index, Interval<Pos> rows) {
    const FmView& fm = index.fm;
    rows_ = rows;
    if (at_ == low_) {
      state_ = State::found;
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
    const std::uint8_t code = strand_[at_ - 1];
    if (code >= index.fm.sigma) return open_window(index, at_);
    const Interval<Pos> rows = index.fm.extend(rows_, code);
    if (rows.begin >= rows.end) return open_window(index, at_);
    if (rows.end > index.fm.rows()) throw_index_fault();
    --at_;
    take_rows(index, rows);
  }
  GSX_HD void take_sample(const SearchedIndex& index) {
    position_ = index.fm.samples[index.fm.sampling.block(rows_.begin)];
    if (position_ >= index.fm.rows()) throw_index_fault();
    const std::uint64_t first = position_ - std::min(position_, at_ - low_);
    __builtin_prefetch(index.text.symbols.bytes + (first * index.text.symbols.bits >> 3));
    state_ = State::text;
  }
  /// Takes the text before the only position of the symbols from at_ on.
  GSX_HD void compare_left(const SearchedIndex& index) {
    const SegmentsView& segments = index.text.segments;
    const std::uint64_t segment = segments.starts[segments.segment_at(position_)];
    if (segment > position_) throw_index_fault();
    const std::uint64_t begin = index.text.symbols.bits == 2 ? bases_begin() : low_;
    const std::uint64_t most = std::min(at_ - begin, position_ - segment);
    at_ -= common_suffix(index.text.symbols, position_, strand_, at_, most);
    if (at_ == low_) {
      state_ = State::found;
    } else {
      open_window(index, at_);
    }
  }
  /// Where the symbols before symbol at_ begin that two bits can hold, not before low_: others must
  /// not be compared with a text of two bits.
  GSX_HD std::uint64_t bases_begin() const {
    std::uint64_t begin = at_;
    while (begin > low_ && strand_[begin - 1] < 4)
      --begin;
    return begin;
  }

  GSX_HD static void prefetch_ranks_of(const FmView& fm, Interval<Pos> rows) {
    NoMeter meter;
    prefetch_ranks(fm.bwt.levels[0], rows.begin, rows.end, meter);
  }

  StrandCodes strand_;
  std::uint64_t end_;  ///< windows begin before it
  std::uint64_t min_length_;
  std::uint64_t low_;       ///< where the window begins
  std::uint64_t at_;        ///< its symbols from here on are known to occur
  std::uint64_t slot_;      ///< of the k-mer
  std::uint64_t position_;  ///< of symbol at_ in the text
  Interval<Pos> rows_;      ///< of the symbols that are known to occur
  std::uint32_t singles_;   ///< symbols since one row was left
  bool uses_kmers_;
  State state_;
};

}  // namespace gsx
