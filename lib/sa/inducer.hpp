// The order of all suffixes from that of the suffixes whose first symbol is below the second.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/parallel.hpp"
#include "sa/preceding.hpp"
#include "sa/start_filter.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// Rows of suffixes by their first two symbols: those that begin with codes a, b fill
/// [starts[a << bits | b], starts[(a << bits | b) + 1]), and those that are a and a separator come
/// first among those of a, 0.
struct PairRows {
  std::uint32_t bits = 0;  ///< a symbol
  std::vector<std::uint64_t> starts;

  std::uint64_t start(std::uint64_t a, std::uint64_t b) const { return starts[a << bits | b]; }
  std::uint64_t end(std::uint64_t a, std::uint64_t b) const { return starts[(a << bits | b) + 1]; }
};

/// Induced copying (ideas of Burrows and Wheeler's and Seward's "copy", and of two-stage sorting by
/// Itoh and Tanaka). Let [a b] be the rows whose suffixes begin with a, b. Once all rows of symbol
/// b are in order, so are the suffixes one symbol longer, among those that begin alike: the rows of
/// [c b] are, in the same order, the suffixes that c precedes. The separators come first, then
/// symbols in increasing order: when b's turn comes, [b a] is there for a < b from earlier turns,
/// [b a] for a > b was sorted, and [b b] grows from both sides out of itself.
///
/// Every row is looked at once and written at most once, to few streams. What precedes a suffix is
/// carried beside its row (Preceding), so that only some 15 % of the rows of DNA have to look at
/// the text again; as a row is passed, the byte becomes the row's symbol of the BWT. (50 Mbp, one
/// thread: 7 ns a row; 15 ns when each row looks at the text.) All threads look at slices of rows:
/// first at what precedes each, then, with places known, they write.
template <class Pos>
class Inducer {
 public:
  /// `rows` has [a b] sorted for all a < b, `before` what precedes them. When run() is done,
  /// `before` is the BWT: codes, and 0xFF for separators.
  Inducer(const TextView& text, PairRows pairs, Pos* rows, std::uint8_t* before, int threads)
      : text_(text),
        starts_(text.segments),
        preceding_(text.symbols),
        pairs_(std::move(pairs)),
        rows_(rows),
        before_(before),
        threads_(threads),
        places_(std::size_t{1} << pairs_.bits) {}

  void run() {
    const SegmentsView& segments = text_.segments;
    for (std::uint64_t k = 0; k < segments.count; ++k) {
      rows_[k] = static_cast<Pos>(segments.starts[k + 1] - 1);
      before_[k] = preceding_.at(segments.starts[k + 1] - 1);
      // Rows of c and a separator lie before those of c and code 0.
      const std::uint64_t last = segments.starts[k + 1] - 2;
      if (segments.starts[k] <= last) ++ends_[text_.symbols[last]];
    }
    const std::uint64_t sigma = text_.sigma;
    for (std::uint64_t c = 0; c < sigma; ++c)
      places_[c] = {pairs_.start(c, 0), 0};
    induce<1>(0, segments.count, 0);
    for (std::uint64_t b = 0; b < sigma; ++b) {
      for (std::uint64_t c = b; c < sigma; ++c)
        places_[c] = {pairs_.start(c, b) + (b == 0 ? ends_[c] : 0), pairs_.end(c, b)};
      grow_up(b);
      grow_down(b);
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

  void grow_up(std::uint64_t b) {
    std::uint64_t row = pairs_.start(b, 0);
    while (row < places_[b].up) {
      const std::uint64_t stop = places_[b].up;
      induce<1>(row, stop, b);
      row = stop;
    }
  }
  void grow_down(std::uint64_t b) {
    std::uint64_t row = pairs_.starts[(b + 1) << pairs_.bits];
    while (row > places_[b].down) {
      const std::uint64_t stop = places_[b].down;
      induce<-1>(stop, row, b);
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

  /// Writes the suffixes one longer than those of rows [begin, end), taken upwards or downwards,
  /// where what precedes is at least `least`.
  template <int step>
  void induce(std::uint64_t begin, std::uint64_t end, std::uint64_t least) {
    if (end - begin < parallel_rows || threads_ == 1) {
      induce_alone<step>(begin, end, least);
    } else {
      induce_together<step>(step > 0 ? begin : end, end - begin, least);
    }
  }

  /// Passes a row whose suffix is p and preceded by `some`.
  template <int step>
  void pass(Place* places, std::uint64_t row, std::uint64_t p, std::uint8_t some,
            std::uint64_t least) {
    if (some == preceding_.empty) [[unlikely]] {
      before_[row] = none;
      return;
    }
    // Symbols are not foreseeable, so there is no branch: what is not to be written anew writes its
    // own row again.
    const std::uint8_t c = preceding_.first(some);
    before_[row] = c;
    const bool counts = c >= least;
    std::uint64_t& place = step > 0 ? places[c].up : places[c].down;
    const std::uint64_t target = counts ? place - (step > 0 ? 0 : 1) : row;
    place += step > 0 ? counts : 0 - std::uint64_t{counts};
    rows_[target] = static_cast<Pos>(p - counts);
    before_[target] = counts ? preceding_.rest(some) : c;
  }

  /// Row i of those that start, or, downwards, end at `edge`.
  template <int step>
  static std::uint64_t row_at(std::uint64_t edge, std::uint64_t i) {
    return step > 0 ? edge + i : edge - 1 - i;
  }

  template <int step>
  void induce_alone(std::uint64_t begin, std::uint64_t end, std::uint64_t least) {
    const std::uint64_t edge = step > 0 ? begin : end;
    const std::uint64_t size = end - begin;
    for (std::uint64_t i = 0; i < size; ++i) {
      if (i + ahead < size) prefetch(row_at<step>(edge, i + ahead));
      const std::uint64_t row = row_at<step>(edge, i);
      pass<step>(places_.data(), row, rows_[row], look(rows_[row], before_[row]), least);
    }
  }

  template <int step>
  void induce_together(std::uint64_t edge, std::uint64_t size, std::uint64_t least) {
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
      for (std::uint64_t c = least; c < sigma; ++c)
        slice_places_[s * sigma + c].up = counts[c];
    });
    for (std::uint64_t c = least; c < sigma; ++c) {
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
        pass<step>(places, row, rows_[row], before_[row], least);
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
  std::uint64_t ends_[256] = {};  ///< segments that end with a code
  std::vector<Place> places_;
  std::vector<Place> slice_places_;
};

}  // namespace gsx
