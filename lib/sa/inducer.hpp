// The order of all suffixes from that of the suffixes whose first symbol is below the second.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/parallel.hpp"
#include "sa/pair_rows.hpp"
#include "sa/preceding.hpp"
#include "sa/start_filter.hpp"
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
/// (Preceding), so that few rows have to look at the text again. All threads look at slices of
/// rows: first at what precedes each, then, with places known, they write.
template <class Pos>
class Inducer {
 public:
  /// `rows` and `low` are what run() fills: the suffix array and the BWT, codes, and 0xFF for
  /// separators. Until then `low` and `high`, as many bytes if words are wide, are the rows' words.
  Inducer(const TextView& text, PairRows pairs, Pos* rows, std::uint8_t* low, std::uint8_t* high,
          int threads)
      : text_(text),
        starts_(text.segments),
        preceding_(text.symbols),
        pairs_(std::move(pairs)),
        rows_(rows),
        low_(low),
        high_(high),
        threads_(threads),
        places_(std::size_t{1} << pairs_.bits) {}

  const PairRows& pairs() const { return pairs_; }

  /// Puts the B* suffixes into their rows: `stars` says where in `order` they are. Their words are
  /// those of the last rows.
  void place(const PairRows& stars, const Pos* order) {
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
  void place(const PairRows& stars, const Item* from, Slice slice, Item* to) const {
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

  using Narrow = PrecedingRows<false>;
  using Wide = PrecedingRows<true>;

  static constexpr std::uint8_t none = 0xFF;
  /// Below this the threads' start would cost more than they save.
  static constexpr std::uint64_t parallel_rows = std::uint64_t{1} << 16;
  static constexpr std::uint64_t slices_per_thread = 16;
  /// Rows whose text is asked for in advance.
  static constexpr std::uint64_t ahead = 24;

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
      const Preceding::Word word = preceding_.at(segments.starts[k + 1] - 1);
      high_ == nullptr ? Narrow{low_, high_}.store(k, word) : Wide{low_, high_}.store(k, word);
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
      row = high_ == nullptr ? follow<step>(Narrow{low_, high_}, b, row, wanted)
                             : follow<step>(Wide{low_, high_}, b, row, wanted);
      const std::uint64_t end = step > 0 ? places_[b].up : places_[b].down;
      if (row == end) return;
      induce<step>(std::min(row, end), std::max(row, end), wanted);
      row = end;
    }
  }

  /// What precedes position p, of which `known` is known: empty at a segment's start.
  __attribute__((always_inline)) Preceding::Word look(std::uint64_t p,
                                                      Preceding::Word known) const {
    if (known == preceding_.empty) known = preceding_.at(p);
    // The slot of a separator holds code 0.
    const bool maybe = (preceding_.first(known) == 0) & starts_.may_start_at(p);
    if (maybe && starts_.starts_at(p)) [[unlikely]]
      return preceding_.empty;
    return known;
  }

  /// Writes the suffixes one longer than those of rows [begin, end), taken upwards for the last
  /// time or downwards for the first, where what precedes is wanted.
  template <int step>
  void induce(std::uint64_t begin, std::uint64_t end, Wanted wanted) {
    if (high_ == nullptr) {
      induce<step>(Narrow{low_, high_}, begin, end, wanted);
    } else {
      induce<step>(Wide{low_, high_}, begin, end, wanted);
    }
  }
  template <int step, class Words>
  void induce(Words words, std::uint64_t begin, std::uint64_t end, Wanted wanted) {
    if (end - begin < parallel_rows || threads_ == 1) {
      induce_alone<step>(words, {begin, end}, wanted);
    } else {
      induce_together<step>(words, step > 0 ? begin : end, end - begin, wanted);
    }
  }

  template <class Words>
  static void prefetch(const Words& words, const Pos* rows, const Preceding& preceding,
                       std::uint64_t row) {
    // Always asking for something costs less than a branch that cannot be foreseen.
    preceding.prefetch(words.load(row) == preceding.empty ? rows[row] : 0);
  }

  /// Passes a row whose suffix is p and preceded by `some`.
  template <int step, class Words>
  static void pass(const Words& words, Pos* rows, const Preceding& preceding, Place* places,
                   std::uint64_t row, std::uint64_t p, Preceding::Word some, Wanted wanted) {
    if (some == preceding.empty) [[unlikely]]
      return words.store(row, step > 0 ? none : some);
    // Symbols are not foreseeable, so there is no branch: what is not to be written anew writes its
    // own row again.
    const std::uint8_t c = preceding.first(some);
    const Preceding::Word kept = step > 0 ? c : some;
    words.store(row, kept);
    const bool counts = wanted.has(c);
    std::uint64_t& place = step > 0 ? places[c].up : places[c].down;
    const std::uint64_t target = counts ? place - (step > 0 ? 0 : 1) : row;
    place += step > 0 ? counts : 0 - std::uint64_t{counts};
    rows[target] = static_cast<Pos>(p - counts);
    words.store(target, counts ? preceding.rest(some) : kept);
  }

  /// Row i of those that start, or, downwards, end at `edge`.
  template <int step>
  static std::uint64_t row_at(std::uint64_t edge, std::uint64_t i) {
    return step > 0 ? edge + i : edge - 1 - i;
  }

  // The loops have copies of what they use: bytes that are written could be anything's.

  template <int step, class Words>
  void induce_alone(const Words words, Slice slice, Wanted wanted) {
    const Preceding preceding = preceding_;
    pass_all<step>(words, rows_, preceding, places_.data(), step > 0 ? slice.begin : slice.end,
                   slice.end - slice.begin, wanted);
  }

  /// As induce_alone, from `row` on to where the rows of symbol b end, which may be further off
  /// with each row that is passed: in a run of one symbol always by one. Gives the row at which
  /// that is reached, or from which on there are enough rows for all threads.
  template <int step, class Words>
  std::uint64_t follow(const Words words, std::uint64_t b, std::uint64_t row, Wanted wanted) {
    const Preceding preceding = preceding_;
    Pos* const rows = rows_;
    Place* const places = places_.data();
    for (;;) {
      const std::uint64_t end = step > 0 ? places[b].up : places[b].down;
      const std::uint64_t size = step > 0 ? end - row : row - end;
      if (size == 0 || (size >= parallel_rows && threads_ > 1)) return row;
      pass_all<step>(words, rows, preceding, places, row, size, wanted);
      row = end;
    }
  }

  template <int step, class Words>
  void pass_all(const Words& words, Pos* rows, const Preceding& preceding, Place* places,
                std::uint64_t edge, std::uint64_t size, Wanted wanted) const {
    for (std::uint64_t i = 0; i < size; ++i) {
      if (i + ahead < size) prefetch(words, rows, preceding, row_at<step>(edge, i + ahead));
      const std::uint64_t row = row_at<step>(edge, i);
      const std::uint64_t p = rows[row];
      pass<step>(words, rows, preceding, places, row, p, look(p, words.load(row)), wanted);
    }
  }

  template <int step, class Words>
  void induce_together(const Words words, std::uint64_t edge, std::uint64_t size, Wanted wanted) {
    const std::uint64_t slices = static_cast<std::uint64_t>(threads_) * slices_per_thread;
    const std::uint64_t sigma = text_.sigma;
    const Preceding preceding = preceding_;
    Pos* const rows = rows_;
    slice_places_.assign(slices * sigma, {0, 0});
    parallel_for(threads_, slices, [=, this](std::uint64_t s, int) {
      const Slice slice = slice_of(size, slices, s, 64);
      std::uint64_t counts[256] = {};
      std::uint64_t starting = 0;
      for (std::uint64_t i = slice.begin; i < slice.end; ++i) {
        if (i + ahead < slice.end) prefetch(words, rows, preceding, row_at<step>(edge, i + ahead));
        const std::uint64_t row = row_at<step>(edge, i);
        const Preceding::Word some = look(rows[row], words.load(row));
        words.store(row, some);
        ++counts[preceding.first(some)];
        starting += some == preceding.empty;
      }
      // An empty word reads as a code, too.
      counts[preceding.first(preceding.empty)] -= starting;
      for (std::uint64_t c = wanted.first; c <= wanted.last; ++c)
        slice_places_[s * sigma + c].up = counts[c];
    });
    for (std::uint64_t c = wanted.first; c <= wanted.last; ++c) {
      for (std::uint64_t s = 0; s < slices; ++s) {
        Place& place = slice_places_[s * sigma + c];
        const std::uint64_t count = place.up;
        place = places_[c];
        (step > 0 ? places_[c].up : places_[c].down) += step > 0 ? count : 0 - count;
      }
    }
    parallel_for(threads_, slices, [=, this](std::uint64_t s, int) {
      const Slice slice = slice_of(size, slices, s, 64);
      Place* places = &slice_places_[s * sigma];
      for (std::uint64_t i = slice.begin; i < slice.end; ++i) {
        const std::uint64_t row = row_at<step>(edge, i);
        pass<step>(words, rows, preceding, places, row, rows[row], words.load(row), wanted);
      }
    });
  }

  TextView text_;
  StartFilter starts_;
  Preceding preceding_;
  PairRows pairs_;
  Pos* rows_;
  std::uint8_t* low_;
  std::uint8_t* high_;
  int threads_;
  std::uint64_t ends_[256] = {};    ///< segments that end with a code
  std::uint64_t b_rows_[256] = {};  ///< where a symbol's rows of type B begin
  std::vector<Place> places_;
  std::vector<Place> slice_places_;
};

}  // namespace gsx
