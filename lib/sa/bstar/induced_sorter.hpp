// The order of all suffixes from that of the suffixes whose first symbol is below the second.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/bits.hpp"
#include "base/parallel.hpp"
#include "sa/bstar/bigram_buckets.hpp"
#include "sa/bstar/left_context.hpp"
#include "sa/bstar/segment_start_filter.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// Two-stage sorting (Itoh and Tanaka, 1999, with Mori's B*). Let [a b] be the rows whose suffixes
/// begin with a, b. Within a symbol's rows those of type A come before those of type B; within
/// [a b], a < b, the B* suffixes come before the other ones of type B.
/// - Going down through all rows of type B, from the largest symbol b on: once those of b are in
///   order, so are the suffixes one symbol longer among those that begin alike, so [c b], c <= b,
///   is filled from its end with those that c precedes; [b b] grows out of itself.
/// - Then going up through all rows, the separators' first: in the same way [c b], c > b, is filled
///   from its start, and the rows of type A of [b b] grow out of themselves.
///
/// Rows are written once, to few streams. What precedes a suffix is carried beside its row
/// (LeftContext), so that few rows have to look at the text again. All threads look at blocks of
/// rows: first at what precedes each, then, with places known, they write.
template <class Pos>
class InducedSorter {
 public:
  /// `rows` and `low` are what run() fills: the suffix array and the BWT, codes, and 0xFF for
  /// separators. Until then `low` and `high`, as many bytes if words are wide, are the rows' words.
  InducedSorter(const TextView& text, BigramBuckets pairs, Pos* rows, std::uint8_t* low,
                std::uint8_t* high, int threads)
      : text_(text),
        starts_(text.segments),
        pairs_(std::move(pairs)),
        rows_(rows),
        low_(low),
        high_(high),
        threads_(threads),
        places_(std::size_t{1} << pairs_.bits) {}

  const BigramBuckets& pairs() const { return pairs_; }

  /// Puts the B* suffixes into their rows: `stars` says where in `order` they are. Their words are
  /// those of the last rows.
  void place(const BigramBuckets& stars, const Pos* order) {
    const std::uint64_t slices = static_cast<std::uint64_t>(threads_) * slices_per_thread;
    const std::uint64_t size = stars.starts.back();
    parallel_for(threads_, slices + 2, [&](std::uint64_t s, int) {
      if (s >= 2) return place(stars, order, slice_of(size, slices, s - 2), rows_);
      std::uint8_t* words = s == 0 ? low_ : high_;
      // Towards lower rows, in order: none is overwritten before it is moved.
      if (words != nullptr) place(stars, words + text_.length() - size, {0, size}, words);
    });
  }

  /// Pre: the B* suffixes are placed.
  void run() {
    const std::uint64_t sigma = text_.sigma;
    for (std::uint64_t b = sigma; b-- > 0;) {
      for (std::uint64_t c = 0; c <= b; ++c)
        places_[c].down = pairs_.end(c, b);
      grow_down(b);
      b_rows_[b] = places_[b].down;
    }
    place_separators();
    for (std::uint64_t b = 0; b < sigma; ++b) {
      for (std::uint64_t c = b; c < sigma; ++c)
        places_[c].up = pairs_.start(c, b) + (b == 0 ? ends_[c] : 0);
      grow_up(b);
      induce<1>(b_rows_[b], pairs_.end(b), {b + 1, sigma - 1});
    }
  }

 private:
  template <class Item>
  void place(const BigramBuckets& stars, const Item* from, Slice slice, Item* to) const {
    if (slice.begin == slice.end) return;
    const auto first = std::upper_bound(stars.starts.begin(), stars.starts.end(), slice.begin);
    auto pair = static_cast<std::uint64_t>(first - stars.starts.begin()) - 1;
    for (std::uint64_t i = slice.begin; i < slice.end; ++pair) {
      const std::uint64_t stop = std::min(slice.end, stars.starts[pair + 1]);
      std::memmove(to + pairs_.starts[pair] + (i - stars.starts[pair]), from + i,
                   (stop - i) * sizeof(Item));
      i = stop;
    }
  }

  /// Where the next suffix that a symbol begins goes, from either end.
  struct Place {
    std::uint64_t up;
    std::uint64_t down;
  };

  static constexpr std::uint8_t none = 0xFF;
  /// Below this the threads' start would cost more than they save.
  static constexpr std::uint64_t parallel_rows = std::uint64_t{1} << 16;
  /// Rows that a thread takes at a time.
  static constexpr std::uint64_t block_rows = std::uint64_t{1} << 15;
  static constexpr std::uint64_t slices_per_thread = 16;
  /// Rows whose text is asked for in advance.
  static constexpr std::uint64_t ahead = 48;

  /// Symbols of which suffixes are written; none where first > last.
  struct Wanted {
    std::uint64_t first;
    std::uint64_t last;
    bool has(std::uint64_t c) const { return (first <= c) & (c <= last); }
  };

  void place_separators() {
    const SegmentsView& segments = text_.segments;
    for (std::uint64_t k = 0; k < segments.count; ++k) {
      rows_[k] = static_cast<Pos>(segments.starts[k + 1] - 1);
      const LeftContext word = left_context_at(text_.symbols, segments.starts[k + 1] - 1);
      high_ == nullptr ? rows_view<false>().words.store(k, word)
                       : rows_view<true>().words.store(k, word);
      // Rows of c and a separator lie before those of c and code 0.
      const std::uint64_t last = segments.starts[k + 1] - 2;
      if (segments.starts[k] <= last) ++ends_[text_.symbols[last]];
    }
    for (std::uint64_t c = 0; c < text_.sigma; ++c)
      places_[c].up = pairs_.start(c, 0);
    induce<1>(0, segments.count, {0, text_.sigma - 1});
  }

  /// The rows of type A of symbol b, those of [b b] being written meanwhile.
  void grow_up(std::uint64_t b) { grow<1>(b, pairs_.start(b, 0), {b, text_.sigma - 1}); }
  /// The same for type B.
  void grow_down(std::uint64_t b) { grow<-1>(b, pairs_.end(b), {0, b}); }
  template <int step>
  void grow(std::uint64_t b, std::uint64_t row, Wanted wanted) {
    for (;;) {
      row = high_ == nullptr ? follow<step>(rows_view<false>(), b, row, wanted)
                             : follow<step>(rows_view<true>(), b, row, wanted);
      const std::uint64_t end = step > 0 ? places_[b].up : places_[b].down;
      if (row == end) return;
      induce<step>(std::min(row, end), std::max(row, end), wanted);
      row = end;
    }
  }

  /// What a loop over rows works on. Loops have one of their own on the stack: what is reached
  /// through a pointer would be read anew after each byte that is written, which could be anything.
  template <bool wide>
  struct Rows {
    LeftContextArray<wide> words;
    Pos* rows;
    LeftContextReader<wide> preceding;
    SegmentStartFilterView starts;

    /// Asks for the text that look(row) reads.
    __attribute__((always_inline)) void prefetch(std::uint64_t row) const {
      // Always asking for something costs less than a branch that cannot be foreseen.
      preceding.prefetch(words.load(row) == preceding.empty ? rows[row] : 0);
    }
    /// What precedes the suffix of a row: empty at a segment's start.
    __attribute__((always_inline)) LeftContext look(std::uint64_t row) const {
      const std::uint64_t p = rows[row];
      LeftContext some = words.load(row);
      if (some == preceding.empty) some = preceding.at(p);
      // The slot of a separator holds code 0.
      const bool maybe = (preceding.first(some) == 0) & starts.may_start_at(p);
      if (maybe && starts.starts_at(p)) [[unlikely]]
        return preceding.empty;
      return some;
    }
    /// Passes a row whose suffix is preceded by `some`.
    template <int step>
    __attribute__((always_inline)) void pass(Place* places, std::uint64_t row, LeftContext some,
                                             Wanted wanted) const {
      if (some == preceding.empty) [[unlikely]]
        return words.store(row, step > 0 ? none : some);
      // Symbols are not foreseeable, so there is no branch: what is not to be written anew writes
      // its own row again.
      const std::uint8_t c = preceding.first(some);
      const LeftContext kept = step > 0 ? c : some;
      words.store(row, kept);
      const bool counts = wanted.has(c);
      std::uint64_t& place = step > 0 ? places[c].up : places[c].down;
      const std::uint64_t target = counts ? place - (step > 0 ? 0 : 1) : row;
      place += step > 0 ? counts : 0 - std::uint64_t{counts};
      rows[target] = static_cast<Pos>(rows[row] - counts);
      words.store(target, counts ? preceding.rest(some) : kept);
    }
  };
  template <bool wide>
  Rows<wide> rows_view() const {
    return {{low_, high_}, rows_, LeftContextReader<wide>(text_.symbols), starts_.view()};
  }

  /// Writes the suffixes one longer than those of rows [begin, end), taken upwards for the last
  /// time or downwards for the first, where what precedes is wanted.
  template <int step>
  void induce(std::uint64_t begin, std::uint64_t end, Wanted wanted) {
    if (high_ == nullptr) {
      induce<step>(rows_view<false>(), begin, end, wanted);
    } else {
      induce<step>(rows_view<true>(), begin, end, wanted);
    }
  }
  template <int step, bool wide>
  void induce(const Rows<wide>& rows, std::uint64_t begin, std::uint64_t end, Wanted wanted) {
    if (end - begin < parallel_rows || threads_ == 1) {
      induce_alone<step>(rows, {begin, end}, wanted);
    } else {
      induce_together<step>(rows, step > 0 ? begin : end, end - begin, wanted);
    }
  }

  /// Row i of those that start, or, downwards, end at `edge`.
  template <int step>
  static std::uint64_t row_at(std::uint64_t edge, std::uint64_t i) {
    return step > 0 ? edge + i : edge - 1 - i;
  }

  template <int step, bool wide>
  void induce_alone(const Rows<wide>& rows, Slice slice, Wanted wanted) {
    pass_all<step>(rows, places_.data(), step > 0 ? slice.begin : slice.end,
                   slice.end - slice.begin, wanted);
  }

  /// As induce_alone, from `row` on to where the rows of symbol b end, which may be further off
  /// with each row that is passed: in a run of one symbol always by one. Gives the row at which
  /// that is reached, or from which on there are enough rows for all threads.
  template <int step, bool wide>
  std::uint64_t follow(const Rows<wide>& rows, std::uint64_t b, std::uint64_t row, Wanted wanted) {
    Place* const places = places_.data();
    for (;;) {
      const std::uint64_t end = step > 0 ? places[b].up : places[b].down;
      const std::uint64_t size = step > 0 ? end - row : row - end;
      if (size == 0 || (size >= parallel_rows && threads_ > 1)) return row;
      pass_all<step>(rows, places, row, size, wanted);
      row = end;
    }
  }

  template <int step, bool wide>
  static void pass_all(const Rows<wide> rows, Place* places, std::uint64_t edge, std::uint64_t size,
                       Wanted wanted) {
    for (std::uint64_t i = 0; i < size; ++i) {
      if (i + ahead < size) rows.prefetch(row_at<step>(edge, i + ahead));
      const std::uint64_t row = row_at<step>(edge, i);
      rows.template pass<step>(places, row, rows.look(row), wanted);
    }
  }

  /// A block of rows whose words say what precedes them, and where that goes.
  struct Counted {
    Slice block{0, 0};
    std::array<Place, 256> places;
  };

  /// Looks at what precedes the rows of `block`, says so in their words, and counts it in `counts`;
  /// meanwhile passes the rows of `last`, because the one waits for the text and the other does
  /// not.
  template <int step, bool wide>
  static void count_and_pass(const Rows<wide> rows, std::uint64_t edge, Slice block,
                             std::uint64_t* counts, Counted& last, Wanted wanted) {
    std::uint64_t starting = 0;
    const auto count = [&](std::uint64_t i) {
      if (i + ahead < block.end) rows.prefetch(row_at<step>(edge, i + ahead));
      const std::uint64_t row = row_at<step>(edge, i);
      const LeftContext some = rows.look(row);
      rows.words.store(row, some);
      ++counts[rows.preceding.first(some)];
      starting += some == rows.preceding.empty;
    };
    const auto pass = [&](std::uint64_t i) {
      const std::uint64_t row = row_at<step>(edge, i);
      rows.template pass<step>(last.places.data(), row, rows.words.load(row), wanted);
    };
    std::uint64_t i = block.begin, j = last.block.begin;
    for (; i < block.end && j < last.block.end; ++i, ++j) {
      count(i);
      pass(j);
    }
    for (; i < block.end; ++i)
      count(i);
    for (; j < last.block.end; ++j)
      pass(j);
    // An empty word reads as a code, too.
    counts[rows.preceding.first(rows.preceding.empty)] -= starting;
  }

  /// Blocks of rows stay in a core's cache between being counted and being passed. Where a block's
  /// suffixes go is known when those before it are counted, for which each waits: they have been
  /// taken earlier, so somebody is at them.
  template <int step, bool wide>
  void induce_together(const Rows<wide>& rows, std::uint64_t edge, std::uint64_t size,
                       Wanted wanted) {
    const std::uint64_t blocks = divide_up(size, block_rows);
    std::vector<Counted> counted(static_cast<std::size_t>(threads_));
    std::atomic<std::uint64_t> turn{0};
    parallel_for(threads_, blocks, [&](std::uint64_t b, int thread) {
      Counted& last = counted[static_cast<std::size_t>(thread)];
      const Slice block{b * block_rows, std::min(size, (b + 1) * block_rows)};
      std::uint64_t counts[256] = {};
      count_and_pass<step>(rows, edge, block, counts, last, wanted);
      last.block = block;
      for (std::uint64_t now; (now = turn.load(std::memory_order_acquire)) != b;)
        turn.wait(now, std::memory_order_acquire);
      for (std::uint64_t c = wanted.first; c <= wanted.last; ++c) {
        last.places[c] = places_[c];
        (step > 0 ? places_[c].up : places_[c].down) += step > 0 ? counts[c] : 0 - counts[c];
      }
      turn.store(b + 1, std::memory_order_release);
      turn.notify_all();
    });
    parallel_for(threads_, counted.size(), [&](std::uint64_t t, int) {
      std::uint64_t counts[256] = {};
      count_and_pass<step>(rows, edge, {0, 0}, counts, counted[t], wanted);
    });
  }

  TextView text_;
  SegmentStartFilter starts_;
  BigramBuckets pairs_;
  Pos* rows_;
  std::uint8_t* low_;
  std::uint8_t* high_;
  int threads_;
  std::uint64_t ends_[256] = {};    ///< segments that end with a code
  std::uint64_t b_rows_[256] = {};  ///< where a symbol's rows of type B begin
  std::vector<Place> places_;
};

}  // namespace gsx
