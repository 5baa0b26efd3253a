#include "search/cpu_search.hpp"

#include <array>

#include "search/index_fault.hpp"

namespace gsx {
namespace {

/// Searches in flight per thread: enough cache misses to fill the line buffers of a core, few
/// enough that their state stays in the L1 cache.
constexpr std::size_t in_flight = 32;

/// Prefetches the block that a rank reads, and its superblock, which is not in the L1 cache either.
template <class Pos>
GSX_HD void prefetch_rank(const QuadView& level, Pos block) {
  __builtin_prefetch(level.blocks + block);
  __builtin_prefetch(level.superblocks + block / QuadSuperblock::blocks);
}

/// A backward search in progress. It takes the symbols of a pattern from the last to the first; for
/// the reverse complement, that is the complements from the first to the last.
template <class Pos>
struct Walk {
  QuadView::BlockPosition<Pos> begin;  ///< start of the interval on `level`
  Pos width;                           ///< width of the interval
  std::uint64_t at;                    ///< index of the next symbol
  std::uint64_t left;                  ///< symbols that remain
  std::uint64_t step;                  ///< from one symbol to the next: 1 or (modulo 2^64) -1
  std::uint64_t result;                ///< index in intervals_ of the result
  std::uint64_t slot;                  ///< slot of the first k-mer until it is looked up; then none
  std::uint32_t level;                 ///< level of the wavelet matrix for the next step
  std::uint8_t code;                   ///< code of the symbol being added
  std::uint8_t flip;                   ///< 3 complements codes of bases; otherwise 0
};

/// Searches all patterns, `in_flight` at a time. Wavelet matrices of one level, as for DNA, get
/// their own code.
template <class Pos, bool one_level>
class Search {
 public:
  Search(const FmView& fm, const Patterns& patterns, bool forward, bool reverse,
         Interval<Pos>* intervals)
      : fm_(fm),
        patterns_(patterns),
        codes_(patterns.codes.data()),
        strand_(forward ? 0 : 1),
        strands_(reverse ? 2 : 1),
        intervals_(intervals) {
    next_ = strand_;
  }

  GSX_HD void run() {
    std::array<Walk<Pos>, in_flight> walks;
    std::size_t active = 0;
    while (active < in_flight && start(walks[active]))
      ++active;
    while (active > 0) {
      for (std::size_t i = 0; i < active; ++i) {
        if (advance(walks[i])) continue;
        if (!start(walks[i])) walks[i] = walks[--active];
      }
    }
  }

 private:
  /// Starts the next search; false if there is none.
  GSX_HD bool start(Walk<Pos>& walk) {
    while (next_ < 2 * patterns_.size()) {
      const std::uint64_t pattern = next_ / 2;
      const bool reverse = next_ % 2 == 1;
      walk.result = next_;
      next_ = next_ % 2 + 1 < strands_ ? next_ + 1 : 2 * pattern + 2 + strand_;
      const std::uint64_t begin = patterns_.begin_of(pattern);
      walk.left = patterns_.ends[pattern] - begin;
      intervals_[walk.result] = {0, 0};
      if (walk.left == 0 || walk.left >= fm_.rows()) continue;
      walk.at = reverse ? begin : begin + walk.left - 1;
      walk.step = reverse ? 1 : ~std::uint64_t{0};
      walk.flip = reverse ? 3 : 0;
      walk.begin = {0, 0};
      walk.width = static_cast<Pos>(fm_.rows());
      walk.slot = KmerView::none;
      walk.level = 0;
      if (fm_.kmers.k > 0 && walk.left >= fm_.kmers.k) {
        walk.slot = fm_.kmers.slot([&]() -> std::uint32_t { return next_code(walk); });
        if (walk.slot == KmerView::none) continue;
        __builtin_prefetch(fm_.kmers.address(walk.slot));
        return true;
      }
      walk.code = next_code(walk);
      if (walk.code < fm_.sigma) return true;
    }
    return false;
  }

  GSX_HD std::uint8_t next_code(Walk<Pos>& walk) const {
    const std::uint8_t code = codes_[walk.at] ^ walk.flip;
    walk.at += walk.step;
    --walk.left;
    return code;
  }

  /// Sets the interval of the walk and prefetches what its next step reads.
  GSX_HD void enter(Walk<Pos>& walk, const QuadView& level, Interval<Pos> interval) const {
    walk.begin = QuadView::block_position(interval.begin);
    walk.width = interval.count();
    prefetch_rank(level, walk.begin.block);
    if (walk.width > QuadBlock::digits - walk.begin.within) {
      prefetch_rank<Pos>(level, interval.end / QuadBlock::digits);
    }
  }

  /// One level of one symbol, or the look-up of a k-mer. False when the search has ended.
  GSX_HD bool advance(Walk<Pos>& walk) const {
    Interval<Pos> interval;
    if (walk.slot == KmerView::none) [[likely]] {
      const std::uint32_t level = one_level ? 0 : walk.level;
      const std::uint32_t digit = one_level ? walk.code : fm_.bwt.digit_of(walk.code, level);
      fm_.bwt.levels[level].sorted_ranks(digit, walk.begin, walk.width, interval.begin,
                                         interval.end);
      if (!one_level && level + 1 < fm_.bwt.level_count) {
        if (interval.begin >= interval.end) return false;
        enter(walk, fm_.bwt.levels[++walk.level], interval);
        return true;
      }
      walk.level = 0;
      const auto shift = static_cast<Pos>(fm_.c_offset[walk.code]);
      interval = {interval.begin + shift, interval.end + shift};
    } else {
      interval = fm_.kmers.template interval<Pos>(walk.slot);
      walk.slot = KmerView::none;
    }
    if (interval.end > fm_.rows()) throw_index_fault();
    if (interval.begin >= interval.end) return false;
    if (walk.left == 0) {
      intervals_[walk.result] = interval;
      return false;
    }
    enter(walk, fm_.bwt.levels[0], interval);
    walk.code = next_code(walk);
    return walk.code < fm_.sigma;
  }

  const FmView fm_;
  const Patterns patterns_;
  const std::uint8_t* codes_;
  std::uint64_t next_ =
      0;  ///< next search to start: twice the pattern, plus 1 for its reverse complement
  std::uint64_t strand_;   ///< first strand to search: 0 forward, 1 reverse
  std::uint64_t strands_;  ///< one more than the last strand to search
  Interval<Pos>* intervals_;
};

/// Locates all rows by LF steps, `in_flight` at a time.
template <class Pos>
GSX_HD void locate_rows(const FmView& fm, const Pos* rows, std::uint64_t* positions,
                        std::size_t count) {
  struct Step {
    std::size_t result;
    std::uint64_t steps;
    Pos row;
    bool kept;
  };
  std::array<Step, in_flight> walks;
  std::size_t next = 0, active = 0;
  const auto prefetch = [&](Step& step) {
    step.kept = fm.sampling.keeps(step.row);
    if (step.kept) {
      __builtin_prefetch(fm.sample_address(step.row));
    } else {
      prefetch_rank<Pos>(fm.bwt.levels[0], step.row / QuadBlock::digits);
    }
  };
  const auto start = [&](Step& step) {
    if (next == count) return false;
    step = {next, 0, rows[next], false};
    prefetch(step);
    ++next;
    return true;
  };
  while (active < in_flight && start(walks[active]))
    ++active;
  while (active > 0) {
    for (std::size_t i = 0; i < active; ++i) {
      Step& step = walks[i];
      if (fm.step_back(step.row, step.steps, positions[step.result], step.kept)) {
        if (positions[step.result] >= fm.rows()) throw_index_fault();
        if (!start(step)) step = walks[--active];
      } else {
        if (step.row >= fm.rows() || step.steps > fm.rows()) throw_index_fault();
        prefetch(step);
      }
    }
  }
}

template <class Pos>
void search_baseline(const FmView& fm, const Patterns& patterns, bool forward, bool reverse,
                     Interval<Pos>* intervals) {
  if (fm.bwt.level_count == 1) {
    Search<Pos, true>(fm, patterns, forward, reverse, intervals).run();
  } else {
    Search<Pos, false>(fm, patterns, forward, reverse, intervals).run();
  }
}
template <class Pos>
GSX_TARGET_AVX2 void search_avx2(const FmView& fm, const Patterns& patterns, bool forward,
                                 bool reverse, Interval<Pos>* intervals) {
  if (fm.bwt.level_count == 1) {
    Search<Pos, true>(fm, patterns, forward, reverse, intervals).run();
  } else {
    Search<Pos, false>(fm, patterns, forward, reverse, intervals).run();
  }
}
template <class Pos>
void locate_baseline(const FmView& fm, const Pos* rows, std::uint64_t* positions,
                     std::size_t count) {
  locate_rows(fm, rows, positions, count);
}
template <class Pos>
GSX_TARGET_AVX2 void locate_avx2(const FmView& fm, const Pos* rows, std::uint64_t* positions,
                                 std::size_t count) {
  locate_rows(fm, rows, positions, count);
}

}  // namespace

template <class Pos>
SearchLoops<Pos> search_loops(CpuPath path) {
  if (path == CpuPath::avx2) return {search_avx2<Pos>, locate_avx2<Pos>};
  return {search_baseline<Pos>, locate_baseline<Pos>};
}

template SearchLoops<std::uint32_t> search_loops(CpuPath path);
template SearchLoops<std::uint64_t> search_loops(CpuPath path);

}  // namespace gsx
