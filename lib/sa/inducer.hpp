// The order of all suffixes from that of the suffixes whose first symbol is below the second.
#pragma once

#include <algorithm>
#include <cstdint>
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
/// (Preceding), so that only some 15 % of the rows of DNA have to look at the text again; as a row
/// is passed for the last time, the byte becomes the row's symbol of the BWT. All threads look at
/// slices of rows: first at what precedes each, then, with places known, they write.
template <class Pos>
class Inducer {
 public:
  /// When run() is done, `rows` is the suffix array and `before` the BWT: codes, and 0xFF for
  /// separators.
  Inducer(const TextView& text, PairRows pairs, Pos* rows, std::uint8_t* before, int threads)
      : text_(text),
        starts_(text.segments),
        preceding_(text.symbols),
        pairs_(std::move(pairs)),
        rows_(rows),
        before_(before),
        threads_(threads),
        places_(std::size_t{1} << pairs_.bits) {}

  /// Puts the B* suffixes into their rows: `stars` says where in `order` they are, `star_before`
  /// what precedes them.
  void place(const PairRows& stars, const Pos* order, const std::uint8_t* star_before) {
    const std::uint64_t size = stars.starts.back();
    const std::uint64_t slices = static_cast<std::uint64_t>(threads_) * slices_per_thread;
    parallel_for(threads_, slices, [&](std::uint64_t s, int) {
      const Slice slice = slice_of(size, slices, s, 64);
      if (slice.begin == slice.end) return;
      const auto first = std::upper_bound(stars.starts.begin(), stars.starts.end(), slice.begin);
      std::uint64_t pair = static_cast<std::uint64_t>(first - stars.starts.begin()) - 1;
      for (std::uint64_t i = slice.begin; i < slice.end; ++pair) {
        const std::uint64_t stop = std::min(slice.end, stars.starts[pair + 1]);
        const std::uint64_t row = pairs_.starts[pair] + (i - stars.starts[pair]);
        std::copy(order + i, order + stop, rows_ + row);
        std::copy(star_before + i, star_before + stop, before_ + row);
        i = stop;
      }
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
  /// Where the next suffix that a symbol begins goes, from either end.
  struct Place {
    std::uint64_t up;
    std::uint64_t down;
  };

  static constexpr std::uint8_t none = 0xFF;
  /// Below this the threads' start would cost more than they save.
  static constexpr std::uint64_t parallel_rows = std::uint64_t{1} << 17;
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
      before_[k] = preceding_.at(segments.starts[k + 1] - 1);
      // Rows of c and a separator lie before those of c and code 0.
      const std::uint64_t last = segments.starts[k + 1] - 2;
      if (segments.starts[k] <= last) ++ends_[text_.symbols[last]];
    }
    for (std::uint64_t c = 0; c < text_.sigma; ++c)
      places_[c].up = pairs_.start(c, 0);
    induce<1>(0, segments.count, {0, text_.sigma - 1});
  }

  /// The rows of type A of symbol b, those of [b b] being written meanwhile.
  void grow_up(std::uint64_t b) {
    std::uint64_t row = pairs_.start(b, 0);
    while (row < places_[b].up) {
      const std::uint64_t stop = places_[b].up;
      induce<1>(row, stop, {b, text_.sigma - 1});
      row = stop;
    }
  }
  /// The same for type B.
  void grow_down(std::uint64_t b) {
    std::uint64_t row = pairs_.end(b);
    while (row > places_[b].down) {
      const std::uint64_t stop = places_[b].down;
      induce<-1>(stop, row, {0, b});
      row = stop;
    }
  }

  void prefetch(std::uint64_t row) const {
    // Always asking for something costs less than a branch that cannot be foreseen.
    preceding_.prefetch(before_[row] == preceding_.empty ? rows_[row] : 0);
  }

  /// What precedes position p, of which `known` is known: empty at a segment's start.
  std::uint8_t look(std::uint64_t p, std::uint8_t known) const {
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
    if (end - begin < parallel_rows || threads_ == 1) {
      induce_alone<step>(begin, end, wanted);
    } else {
      induce_together<step>(step > 0 ? begin : end, end - begin, wanted);
    }
  }

  /// Passes a row whose suffix is p and preceded by `some`.
  template <int step>
  void pass(Place* places, std::uint64_t row, std::uint64_t p, std::uint8_t some, Wanted wanted) {
    constexpr bool last_time = step > 0;
    if (some == preceding_.empty) [[unlikely]] {
      before_[row] = last_time ? none : some;
      return;
    }
    // Symbols are not foreseeable, so there is no branch: what is not to be written anew writes its
    // own row again.
    const std::uint8_t c = preceding_.first(some);
    const std::uint8_t kept = last_time ? c : some;
    before_[row] = kept;
    const bool counts = wanted.has(c);
    std::uint64_t& place = step > 0 ? places[c].up : places[c].down;
    const std::uint64_t target = counts ? place - (step > 0 ? 0 : 1) : row;
    place += step > 0 ? counts : 0 - std::uint64_t{counts};
    rows_[target] = static_cast<Pos>(p - counts);
    before_[target] = counts ? preceding_.rest(some) : kept;
  }

  /// Row i of those that start, or, downwards, end at `edge`.
  template <int step>
  static std::uint64_t row_at(std::uint64_t edge, std::uint64_t i) {
    return step > 0 ? edge + i : edge - 1 - i;
  }

  template <int step>
  void induce_alone(std::uint64_t begin, std::uint64_t end, Wanted wanted) {
    const std::uint64_t edge = step > 0 ? begin : end;
    const std::uint64_t size = end - begin;
    for (std::uint64_t i = 0; i < size; ++i) {
      if (i + ahead < size) prefetch(row_at<step>(edge, i + ahead));
      const std::uint64_t row = row_at<step>(edge, i);
      pass<step>(places_.data(), row, rows_[row], look(rows_[row], before_[row]), wanted);
    }
  }

  template <int step>
  void induce_together(std::uint64_t edge, std::uint64_t size, Wanted wanted) {
    const std::uint64_t slices = static_cast<std::uint64_t>(threads_) * slices_per_thread;
    const std::uint64_t sigma = text_.sigma;
    slice_places_.assign(slices * sigma, {0, 0});
    parallel_for(threads_, slices, [&](std::uint64_t s, int) {
      const Slice slice = slice_of(size, slices, s, 64);
      std::uint64_t counts[256] = {};
      std::uint64_t starting = 0;
      for (std::uint64_t i = slice.begin; i < slice.end; ++i) {
        if (i + ahead < slice.end) prefetch(row_at<step>(edge, i + ahead));
        const std::uint64_t row = row_at<step>(edge, i);
        const std::uint8_t some = look(rows_[row], before_[row]);
        before_[row] = some;
        ++counts[preceding_.first(some)];
        starting += some == preceding_.empty;
      }
      // An empty byte reads as a code, too.
      counts[preceding_.first(preceding_.empty)] -= starting;
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
    parallel_for(threads_, slices, [&](std::uint64_t s, int) {
      const Slice slice = slice_of(size, slices, s, 64);
      Place* places = &slice_places_[s * sigma];
      for (std::uint64_t i = slice.begin; i < slice.end; ++i) {
        const std::uint64_t row = row_at<step>(edge, i);
        pass<step>(places, row, rows_[row], before_[row], wanted);
      }
    });
  }

  TextView text_;
  StartFilter starts_;
  Preceding preceding_;
  PairRows pairs_;
  Pos* rows_;
  std::uint8_t* before_;
  int threads_;
  std::uint64_t ends_[256] = {};    ///< segments that end with a code
  std::uint64_t b_rows_[256] = {};  ///< where a symbol's rows of type B begin
  std::vector<Place> places_;
  std::vector<Place> slice_places_;
};

}  // namespace gsx
