#include "index/sa/bstar/induced_sorter.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <vector>

#include "base/bits.hpp"
#include "base/parallel.hpp"
#include "index/sa/bstar/induction_rows.hpp"
#include "index/sa/bstar/segment_start_filter.hpp"
#include "index/sa/bstar/vector_induction.hpp"
#include "index/sa/tuning.hpp"

namespace gsx {
namespace {

/// Moves the part [slice.begin, slice.end) of `from`, which is in the order of the B* suffixes, to
/// the starts of the bigram buckets in `to`.
template <class Item>
void place_items(const BigramBuckets& all, const BigramBuckets& bstar, const Item* from,
                 Slice slice, Item* to) {
  if (slice.begin == slice.end) return;
  const auto first = std::upper_bound(bstar.starts.begin(), bstar.starts.end(), slice.begin);
  auto bigram = static_cast<std::uint64_t>(first - bstar.starts.begin()) - 1;
  for (std::uint64_t i = slice.begin; i < slice.end; ++bigram) {
    const std::uint64_t stop = std::min(slice.end, bstar.starts[bigram + 1]);
    std::memmove(to + all.starts[bigram] + (i - bstar.starts[bigram]), from + i,
                 (stop - i) * sizeof(Item));
    i = stop;
  }
}

template <class Pos>
class InducedSorter {
 public:
  InducedSorter(const TextView& text, const BigramBuckets& buckets,
                const InductionArrays<Pos>& arrays, int threads)
      : text_(text),
        starts_(text.segments, context_capacity(text.symbols)),
        buckets_(buckets),
        sa_(arrays.sa),
        low_(arrays.low),
        high_(arrays.high),
        threads_(threads),
        places_(std::size_t{1} << buckets_.bits) {
    // The rows of symbols above all of the text would start at the end of the arrays. A vector
    // store there is slow even if its mask is empty, because the memory may not be mapped.
    while (sigma_ > 1 && buckets_.start(sigma_ - 1, 0) == text_.length())
      --sigma_;
  }

  void run() {
    const std::uint64_t sigma = sigma_;
    for (std::uint64_t b = sigma; b-- > 0;) {
      for (std::uint64_t c = 0; c <= b; ++c)
        places_[c].down = buckets_.end(c, b);
      grow_down(b);
      b_rows_[b] = places_[b].down;
    }
    place_separators();
    for (std::uint64_t b = 0; b < sigma; ++b) {
      for (std::uint64_t c = b; c < sigma; ++c)
        places_[c].up = buckets_.start(c, b) + (b == 0 ? ends_[c] : 0);
      grow_up(b);
      induce<1>(b_rows_[b], buckets_.end(b), {b + 1, sigma - 1});
    }
  }

 private:
  using Place = InductionPlace;
  using Wanted = WantedSymbols;
  template <bool wide>
  using Rows = InductionRows<Pos, wide>;

  template <bool wide>
  static constexpr std::uint64_t parallel_rows =
      wide ? sa_tuning::parallel_wide_rows : sa_tuning::parallel_induction_rows;
  static constexpr std::uint64_t block_rows = sa_tuning::induction_block_rows;
  static constexpr std::uint64_t least_induction_block = sa_tuning::least_induction_block;
  static constexpr std::uint64_t blocks_per_thread = sa_tuning::blocks_per_thread;
  static constexpr std::uint64_t ahead = sa_tuning::contexts_ahead;
  template <bool wide>
  static constexpr bool can_use_vectors = vector_induction_exists && !wide && sizeof(Pos) == 4;

  void place_separators() {
    const SegmentsView& segments = text_.segments;
    const LeftContextReader reader(text_.symbols, starts_.view());
    for (std::uint64_t k = 0; k < segments.count; ++k) {
      sa_[k] = static_cast<Pos>(segments.starts[k + 1] - 1);
      const LeftContext context = reader.at(segments.starts[k + 1] - 1);
      high_ == nullptr ? rows_view<false>().contexts.store(k, context)
                       : rows_view<true>().contexts.store(k, context);
      // The suffixes that are c and a separator come before those of c and code 0.
      const std::uint64_t last = segments.starts[k + 1] - 2;
      if (segments.starts[k] <= last) ++ends_[text_.symbols[last]];
    }
    for (std::uint64_t c = 0; c < sigma_; ++c)
      places_[c].up = buckets_.start(c, 0);
    induce<1>(0, segments.count, {0, sigma_ - 1});
  }

  /// Passes the rows of type A of symbol b, while the pass itself adds rows to [b b].
  void grow_up(std::uint64_t b) { grow<1>(b, buckets_.start(b, 0), {b, sigma_ - 1}); }
  /// Does the same for type B.
  void grow_down(std::uint64_t b) { grow<-1>(b, buckets_.end(b), {0, b}); }
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

  template <bool wide>
  Rows<wide> rows_view() const {
    return {{low_, high_}, sa_, LeftContextReader(text_.symbols, starts_.view())};
  }

  /// Passes rows [begin, end), upwards or downwards.
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
    if (end - begin < parallel_rows<wide> || threads_ == 1) {
      induce_alone<step>(rows, {begin, end}, wanted);
    } else {
      induce_together<step>(rows, step > 0 ? begin : end, end - begin, wanted);
    }
  }

  /// Row i of the rows that start at `edge` or, downwards, end there.
  template <int step>
  static std::uint64_t row_at(std::uint64_t edge, std::uint64_t i) {
    return step > 0 ? edge + i : edge - 1 - i;
  }
  /// Rows [begin, end) of these.
  template <int step>
  static Slice rows_at(std::uint64_t edge, std::uint64_t begin, std::uint64_t end) {
    if constexpr (step > 0) return {edge + begin, edge + end};
    return {edge - end, edge - begin};
  }

  template <int step, bool wide>
  void induce_alone(const Rows<wide>& rows, Slice slice, Wanted wanted) {
    pass_some<step>(rows, places_.data(), step > 0 ? slice.begin : slice.end,
                    slice.end - slice.begin, wanted);
  }

  /// Passes the rows from `row` to the end of the rows of symbol b. That end moves on while rows
  /// are passed; in a run of one symbol, by one with each row. Returns the end when it reaches it,
  /// or earlier the row from which there are enough rows for all threads.
  template <int step, bool wide>
  std::uint64_t follow(const Rows<wide>& rows, std::uint64_t b, std::uint64_t row, Wanted wanted) {
    Place* const places = places_.data();
    for (;;) {
      const std::uint64_t end = step > 0 ? places[b].up : places[b].down;
      const std::uint64_t size = step > 0 ? end - row : row - end;
      if (size == 0 || (size >= parallel_rows<wide> && threads_ > 1)) return row;
      if (size == 1) {
        row = follow_run<step>(rows, b, row);
        pass_all<step>(rows, places, row, 1, wanted);
        row = next_row<step>(row);
        continue;
      }
      pass_some<step>(rows, places, row, size, wanted);
      row = end;
    }
  }

  template <int step>
  static std::uint64_t next_row(std::uint64_t row) {
    return step > 0 ? row + 1 : row - 1;
  }

  /// `edge` is the only row of symbol b that is left to pass. If its suffix follows a run of b, the
  /// rows of the longer suffixes are the next ones, in the order of their lengths: writes all of
  /// them, and passes those that write one more. Returns the last one's edge.
  template <int step, bool wide>
  std::uint64_t follow_run(const Rows<wide>& rows, std::uint64_t b, std::uint64_t edge) {
    const std::uint64_t row = row_at<step>(edge, 0);
    const std::uint64_t p = rows.sa[row];
    if (rows.look(row) == start_context) return edge;
    const std::uint64_t length = run_before(p, b);
    if (length < 2) return edge;
    const LeftContextReader& reader = rows.reader;
    const auto inside = static_cast<LeftContext>(step > 0 ? b : reader.at(p));
    for (std::uint64_t i = 0; i < length; ++i) {
      const std::uint64_t at = row_at<step>(edge, i);
      rows.sa[at] = static_cast<Pos>(p - i);
      const bool whole = i + reader.capacity <= length;
      rows.contexts.store(at, step > 0 || whole ? inside : reader.at(p - i));
    }
    const std::uint64_t last = row_at<step>(edge, length);
    rows.sa[last] = static_cast<Pos>(p - length);
    rows.contexts.store(last, reader.at(p - length));
    (step > 0 ? places_[b].up : places_[b].down) += step > 0 ? length : 0 - length;
    return step > 0 ? edge + length : edge - length;
  }

  /// The symbols b directly before p, in its segment.
  std::uint64_t run_before(std::uint64_t p, std::uint64_t b) const {
    const PackedView& symbols = text_.symbols;
    const std::uint64_t at_once = PackedView::max_bits / symbols.bits;
    const std::uint64_t unused = 64 - at_once * symbols.bits;
    const std::uint64_t first = text_.segments.starts[text_.segments.segment_at(p)];
    std::uint64_t all = 0;
    for (std::uint64_t i = 0; i < at_once; ++i)
      all = all << symbols.bits | b;
    std::uint64_t begin = p;
    while (begin >= first + at_once && symbols.window(begin - at_once) >> unused == all)
      begin -= at_once;
    while (begin > first && symbols[begin - 1] == b)
      --begin;
    return p - begin;
  }

  /// Passes `size` rows that start at `edge` or, downwards, end there.
  template <int step, bool wide>
  void pass_some(const Rows<wide>& rows, Place* places, std::uint64_t edge, std::uint64_t size,
                 Wanted wanted) {
    if constexpr (can_use_vectors<wide>) {
      if (has_vectors_ && size >= sa_tuning::least_vector_rows)
        return pass_rows<step>(rows, rows_at<step>(edge, 0, size), places, wanted);
    }
    pass_all<step>(rows, places, edge, size, wanted);
  }

  /// Not inlined, like count_and_pass(): inside its callers the loop runs out of registers, which
  /// makes induction of DNA 5 % slower.
  template <int step, bool wide>
  __attribute__((noinline)) static void pass_all(const Rows<wide> rows, Place* places,
                                                 std::uint64_t edge, std::uint64_t size,
                                                 Wanted wanted) {
    for (std::uint64_t i = 0; i < size; ++i) {
      if (i + ahead < size) rows.prefetch(row_at<step>(edge, i + ahead));
      const std::uint64_t row = row_at<step>(edge, i);
      rows.template pass<step>(places, row, rows.look(row), wanted);
    }
  }

  /// A block of rows whose left contexts have been read, and the places of what they write.
  struct Counted {
    Slice block{0, 0};
    std::array<Place, 256> places;
  };

  /// Reads the left contexts of the rows of `block`, stores them, and counts the symbols in
  /// `counts`. Meanwhile passes the rows of `last`: reading waits for memory, and passing does not.
  template <int step, bool wide>
  __attribute__((noinline)) static void count_and_pass(const Rows<wide> rows, std::uint64_t edge,
                                                       Slice block, std::uint64_t* counts,
                                                       Counted& last, Wanted wanted) {
    std::uint64_t starting = 0;
    const auto count = [&](std::uint64_t i) {
      if (i + ahead < block.end) rows.prefetch(row_at<step>(edge, i + ahead));
      const std::uint64_t row = row_at<step>(edge, i);
      const LeftContext context = rows.look(row);
      rows.contexts.store(row, context);
      ++counts[rows.reader.nearest(context)];
      starting += context == start_context;
    };
    const auto pass = [&](std::uint64_t i) {
      const std::uint64_t row = row_at<step>(edge, i);
      rows.template pass<step>(last.places.data(), row, rows.contexts.load(row), wanted);
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
    // The start of a segment was counted as a code.
    counts[rows.reader.nearest(start_context)] -= starting;
  }

  using Turns = std::atomic<std::uint64_t>;

  /// The places of what block b writes, of which `counts` says how much. They are known when all
  /// earlier blocks have been counted, so each block waits for its turn. That cannot deadlock:
  /// threads take blocks in order, so another one is working on the earlier ones; it cannot throw.
  template <int step>
  void take_places(Turns& turns, std::uint64_t b, const std::uint64_t* counts, Place* places,
                   Wanted wanted) {
    for (std::uint64_t now; (now = turns.load(std::memory_order_acquire)) != b;)
      turns.wait(now, std::memory_order_acquire);
    for (std::uint64_t c = wanted.first; c <= wanted.last; ++c) {
      places[c] = places_[c];
      (step > 0 ? places_[c].up : places_[c].down) += step > 0 ? counts[c] : 0 - counts[c];
    }
    turns.store(b + 1, std::memory_order_release);
    turns.notify_all();
  }

  /// A block stays in the cache of a core between counting and passing. A small range has smaller
  /// blocks, so that no thread waits long for the last one.
  template <int step, bool wide>
  void induce_together(const Rows<wide>& rows, std::uint64_t edge, std::uint64_t size,
                       Wanted wanted) {
    if constexpr (can_use_vectors<wide>) {
      if (has_vectors_) return induce_vectors_together<step>(rows, edge, size, wanted);
    }
    const std::uint64_t fair = size / (static_cast<std::uint64_t>(threads_) * blocks_per_thread);
    const std::uint64_t block_size = std::clamp(fair, least_induction_block, block_rows);
    std::atomic<std::uint64_t> next{0};
    Turns turns{0};
    run_threads(threads_, [&](int) {
      Counted last;
      for (std::uint64_t b;
           (b = next.fetch_add(1, std::memory_order_relaxed)) * block_size < size;) {
        const Slice block{b * block_size, std::min(size, (b + 1) * block_size)};
        std::uint64_t counts[256] = {};
        count_and_pass<step>(rows, edge, block, counts, last, wanted);
        last.block = block;
        take_places<step>(turns, b, counts, last.places.data(), wanted);
      }
      std::uint64_t counts[256] = {};
      count_and_pass<step>(rows, edge, {0, 0}, counts, last, wanted);
    });
  }

  /// Does the same with vectors. Their loops ask for text long before they read it, so there is
  /// nothing to do meanwhile.
  template <int step>
  void induce_vectors_together(const VectorRows& rows, std::uint64_t edge, std::uint64_t size,
                               Wanted wanted) {
    Turns turns{0};
    parallel_for(threads_, divide_up(size, block_rows), [&](std::uint64_t b, int) {
      const Slice block = rows_at<step>(edge, b * block_rows, std::min(size, (b + 1) * block_rows));
      std::uint64_t counts[256] = {};
      std::array<Place, 256> places;
      read_contexts<step>(rows, block, counts);
      take_places<step>(turns, b, counts, places.data(), wanted);
      pass_known_rows<step>(rows, block, places.data(), wanted);
    });
  }

  TextView text_;
  SegmentStartFilter starts_;
  const BigramBuckets& buckets_;
  Pos* sa_;
  std::uint8_t* low_;
  std::uint8_t* high_;
  int threads_;
  std::uint64_t sigma_ = text_.sigma;  ///< 1 more than the largest symbol of the text
  bool has_vectors_ = has_vector_induction();
  std::uint64_t ends_[256] = {};    ///< segments that end with this code
  std::uint64_t b_rows_[256] = {};  ///< where the rows of type B of this symbol begin
  std::vector<Place> places_;
};

}  // namespace

template <class Pos>
void place_bstar_suffixes(const TextView& text, const BigramBuckets& all,
                          const BigramBuckets& bstar, const Pos* suffixes,
                          const InductionArrays<Pos>& arrays, int threads) {
  const std::uint64_t slices =
      static_cast<std::uint64_t>(threads) * sa_tuning::placing_slices_per_thread;
  const std::uint64_t size = bstar.starts.back();
  parallel_for(threads, slices + 2, [&](std::uint64_t s, int) {
    if (s >= 2) {
      place_items(all, bstar, suffixes, slice_of(size, slices, s - 2), arrays.sa);
      return;
    }
    // One task moves all contexts of an array. They move towards lower rows, in order, so none is
    // overwritten before it has moved.
    std::uint8_t* contexts = s == 0 ? arrays.low : arrays.high;
    if (contexts != nullptr)
      place_items(all, bstar, contexts + text.length() - size, {0, size}, contexts);
  });
}

template <class Pos>
void induce_suffix_array(const TextView& text, const BigramBuckets& buckets,
                         const InductionArrays<Pos>& arrays, int threads) {
  InducedSorter<Pos>(text, buckets, arrays, threads).run();
}

#define GSX_INDUCED_SORTER(Pos)                                                                   \
  template void place_bstar_suffixes(const TextView&, const BigramBuckets&, const BigramBuckets&, \
                                     const Pos*, const InductionArrays<Pos>&, int);               \
  template void induce_suffix_array(const TextView&, const BigramBuckets&,                        \
                                    const InductionArrays<Pos>&, int)
GSX_INDUCED_SORTER(std::uint32_t);
GSX_INDUCED_SORTER(std::uint64_t);
#undef GSX_INDUCED_SORTER

}  // namespace gsx
