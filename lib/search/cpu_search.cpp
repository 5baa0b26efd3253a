#include "search/cpu_search.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "search/index_fault.hpp"
#include "search/strand_codes.hpp"

namespace gsx {
namespace {

/// Searches in flight per thread: enough cache misses to fill the line buffers of a core, few
/// enough that their state stays in the L1 cache.
constexpr std::size_t in_flight = 32;

/// How far ahead, in codes, patterns are prefetched: a multiple of those of short reads in flight.
constexpr std::uint64_t codes_ahead = 4096;

/// Symbols that must be left for a comparison with the text to save more lines than it takes.
constexpr std::uint64_t least_compared = 4;

/// Prefetches the superblock of a rank, which is not in the L1 cache.
template <class Pos>
GSX_HD void prefetch_superblock(const QuadView& level, Pos block) {
  __builtin_prefetch(level.superblocks + block / QuadSuperblock::blocks);
}
template <class Pos>
GSX_HD void prefetch_rank(const QuadView& level, Pos block) {
  __builtin_prefetch(level.blocks + block);
  prefetch_superblock(level, block);
}

/// Told of all memory that a search prefetches.
struct NoMeter {
  GSX_HD void fetch(const void*, std::uint64_t) {}
};
class LineMeter {
 public:
  void fetch(const void* first, std::uint64_t bytes) {
    const auto address = reinterpret_cast<std::uintptr_t>(first);
    lines += (address + bytes - 1) / 64 - address / 64 + 1;
  }
  std::uint64_t lines = 0;
};

/// A first k-mer with more than `many_times` as many rows as the mean one is from a repeat, whose
/// copies mostly differ somewhere: then up to `other_seeds` more k-mers of the pattern are looked
/// up.
constexpr std::uint64_t many_times = 4;
constexpr std::uint8_t other_seeds = 3;
/// The least distance of two of them, and the most.
constexpr std::uint64_t least_stride = 4, most_stride = 1u << 20;

/// What a search waits for.
enum class Stage : std::uint8_t { step, kmer, sample, text };

/// A backward search in progress. It takes the symbols of a pattern from the last to the first; for
/// the reverse complement, that is the complements from the first to the last. It may start before
/// the last symbol, as every occurrence of the pattern is one of what is left. Then those that are
/// skipped must be compared with the text.
template <class Pos>
struct Walk {
  QuadView::BlockPosition<Pos> begin;  ///< start of the interval on `level`
  Pos width;                           ///< width of the interval
  std::uint64_t at;                    ///< index of the next symbol
  std::uint64_t left;                  ///< symbols that remain
  std::uint64_t step;                  ///< from one symbol to the next: 1 or (modulo 2^64) -1
  std::uint64_t result;                ///< index in found_ of the result
  std::uint64_t place;    ///< slot of the first k-mer, number of the sample, or text position
  std::uint32_t skipped;  ///< symbols after those that are searched
  std::uint8_t level;     ///< level of the wavelet matrix for the next step
  std::uint8_t code;      ///< code of the symbol being added
  std::uint8_t flip;      ///< 3 complements codes of bases; otherwise 0
  Stage stage;
  Interval<Pos> best;          ///< of the k-mers looked up
  std::uint32_t best_skipped;  ///< symbols after that k-mer
  std::uint8_t seeds;          ///< k-mers that may still be looked up
};

/// Searches all patterns, `in_flight` at a time. Wavelet matrices of one level, as for DNA, get
/// their own code.
template <class Pos, bool one_level, class Meter>
class Search {
 public:
  Search(const SearchedIndex& index, const Patterns& patterns, bool forward, bool reverse,
         Found<Pos>* found, Meter& meter)
      : fm_(index.fm),
        text_(index.text),
        patterns_(patterns),
        codes_(patterns.codes.data()),
        strand_(forward ? 0 : 1),
        strands_(reverse ? 2 : 1),
        found_(found),
        meter_(meter) {
    next_ = strand_;
    many_ = many_times * (fm_.rows() / fm_.kmers.bounds.size + 4);
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
      prefetch_codes(begin, walk.left);
      found_[walk.result] = {0, 0, false};
      if (walk.left == 0 || walk.left >= fm_.rows()) continue;
      walk.step = reverse ? 1 : ~std::uint64_t{0};
      walk.flip = reverse ? 3 : 0;
      walk.level = 0;
      if (fm_.kmers.k > 0 && walk.left >= fm_.kmers.k) {
        walk.seeds = other_seeds;
        if (look_up(walk, 0)) return true;
        continue;
      }
      skip(walk, 0);
      walk.begin = {0, 0};
      walk.width = static_cast<Pos>(fm_.rows());
      walk.stage = Stage::step;
      walk.code = next_code(walk);
      if (walk.code < fm_.sigma) return true;
    }
    return false;
  }

  /// Makes the search start before the last `skipped` symbols.
  GSX_HD void skip(Walk<Pos>& walk, std::uint32_t skipped) const {
    const std::uint64_t begin = patterns_.begin_of(walk.result / 2);
    const std::uint64_t end = patterns_.ends[walk.result / 2];
    walk.skipped = skipped;
    walk.left = end - begin - skipped;
    walk.at = walk.result % 2 == 1 ? begin + skipped : end - skipped - 1;
  }
  /// Prefetches the interval of the k-mer before the last `skipped` symbols. False if the pattern
  /// has a symbol outside the alphabet there.
  GSX_HD bool look_up(Walk<Pos>& walk, std::uint32_t skipped) {
    skip(walk, skipped);
    walk.stage = Stage::kmer;
    walk.place = fm_.kmers.slot([&]() -> std::uint32_t { return next_code(walk); });
    if (walk.place == KmerView::none) return false;
    __builtin_prefetch(fm_.kmers.address(walk.place));
    meter_.fetch(fm_.kmers.address(walk.place), sizeof(std::uint64_t));
    return true;
  }
  /// How far apart k-mers of the pattern are looked up: so that what is left before the first of
  /// them mostly has a sampled row.
  GSX_HD std::uint64_t stride(const Walk<Pos>& walk) const {
    const std::uint64_t length = strand_of(walk).length;
    const std::uint64_t needed = fm_.kmers.k + 3 * std::uint64_t{fm_.sampling.rate()} + 8;
    return length < needed ? 0 : std::min((length - needed) / other_seeds, most_stride);
  }
  /// Takes the rows of a k-mer that has many. Looks up another one if there is one, and returns
  /// true (with `none` in walk.place if that ends the search); otherwise goes on from that with the
  /// fewest.
  GSX_HD bool looks_further(Walk<Pos>& walk, Interval<Pos>& rows) {
    if (walk.seeds == other_seeds || rows.count() < walk.best.count()) {
      walk.best = rows;
      walk.best_skipped = walk.skipped;
    }
    const std::uint64_t apart = stride(walk);
    if (walk.seeds > 0 && apart >= least_stride) {
      --walk.seeds;
      look_up(walk, static_cast<std::uint32_t>((other_seeds - walk.seeds) * apart));
      return true;
    }
    rows = walk.best;
    skip(walk, walk.best_skipped);
    walk.left -= fm_.kmers.k;
    walk.at += fm_.kmers.k * walk.step;
    return false;
  }
  /// Starts again with the last k-mer: what is left of another was taken, and that does not say
  /// where the pattern must be.
  GSX_HD bool start_again(Walk<Pos>& walk) {
    walk.seeds = 0;
    walk.best = fm_.template all<Pos>();
    return look_up(walk, 0);
  }

  /// Prefetches codes of patterns that will be started soon, as many as a pattern has.
  GSX_HD void prefetch_codes(std::uint64_t begin, std::uint64_t length) const {
    for (std::uint64_t done = 0; done < length && done < 256; done += 64)
      __builtin_prefetch(codes_ + begin + codes_ahead + done);
  }

  GSX_HD std::uint8_t next_code(Walk<Pos>& walk) const {
    const std::uint8_t code = codes_[walk.at] ^ walk.flip;
    walk.at += walk.step;
    --walk.left;
    return code;
  }

  /// Sets the interval of the walk and prefetches what its next step reads.
  GSX_HD void enter(Walk<Pos>& walk, const QuadView& level, Interval<Pos> interval) {
    walk.begin = QuadView::block_position(interval.begin);
    walk.width = interval.count();
    const QuadBlock* block = level.blocks + walk.begin.block;
    const std::uint32_t behind = QuadBlock::digits - walk.begin.within;
    const bool wide = walk.width > behind;
    prefetch_rank(level, walk.begin.block);
    if (wide) prefetch_rank<Pos>(level, interval.end / QuadBlock::digits);
    // Two neighbouring blocks may share a line.
    if (wide && walk.width - behind >= QuadBlock::digits) {
      meter_.fetch(level.blocks + interval.end / QuadBlock::digits, sizeof(QuadBlock));
      meter_.fetch(block, sizeof(QuadBlock));
    } else {
      meter_.fetch(block, (wide ? 2 : 1) * sizeof(QuadBlock));
    }
  }

  /// Takes what the walk has waited for. False when the search has ended.
  GSX_HD bool advance(Walk<Pos>& walk) {
    Interval<Pos> interval;
    if (walk.stage == Stage::step) [[likely]] {
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
    } else if (walk.stage == Stage::kmer) {
      interval = fm_.kmers.template interval<Pos>(walk.place);
      if (interval.end <= fm_.rows() && interval.begin < interval.end && interval.count() > many_ &&
          looks_further(walk, interval)) {
        return walk.place != KmerView::none;
      }
      walk.stage = Stage::step;
    } else if (walk.stage == Stage::sample) {
      take_sample(walk);
      return true;
    } else {
      compare(walk);
      return false;
    }
    if (interval.end > fm_.rows()) throw_index_fault();
    if (interval.begin >= interval.end) return false;
    if (walk.left == 0) {
      if (walk.skipped > 0) return start_again(walk);
      found_[walk.result] = {interval.begin, interval.count(), false};
      return false;
    }
    if (interval.count() == 1 && walk.left + walk.skipped >= least_compared &&
        fm_.sampling.keeps(interval.begin)) {
      walk.stage = Stage::sample;
      walk.place = fm_.sampling.block(interval.begin);
      const std::uint8_t* sample = fm_.sample_address(interval.begin);
      __builtin_prefetch(sample);
      meter_.fetch(sample, sizeof(std::uint64_t));
      return true;
    }
    enter(walk, fm_.bwt.levels[0], interval);
    walk.code = next_code(walk);
    return walk.code < fm_.sigma;
  }

  /// Takes the text position of the symbols that have been searched.
  GSX_HD void take_sample(Walk<Pos>& walk) {
    walk.place = fm_.samples[walk.place];
    walk.stage = Stage::text;
    const std::uint64_t length = strand_of(walk).length;
    if (walk.place >= fm_.rows() || length - walk.left - walk.skipped > fm_.rows() - walk.place) {
      throw_index_fault();
    }
    const std::uint64_t start = walk.place < walk.left ? 0 : walk.place - walk.left;
    const std::uint64_t stop = std::min<std::uint64_t>(start + length, fm_.rows());
    const std::uint8_t* first = text_.symbols.bytes + start * text_.symbols.bits / 8;
    const std::uint8_t* last = text_.symbols.bytes + stop * text_.symbols.bits / 8;
    __builtin_prefetch(first);
    __builtin_prefetch(last);
    meter_.fetch(first, static_cast<std::uint64_t>(last - first) + 1);
  }

  GSX_HD StrandCodes strand_of(const Walk<Pos>& walk) const {
    const std::uint64_t begin = patterns_.begin_of(walk.result / 2);
    return {codes_ + begin, patterns_.ends[walk.result / 2] - begin, walk.result % 2 == 1};
  }

  /// Compares with the text the symbols that have been searched, which must be there, and those
  /// before and after them.
  GSX_HD void compare(const Walk<Pos>& walk) const {
    const StrandCodes strand = strand_of(walk);
    const std::uint64_t searched = strand.length - walk.left - walk.skipped;
    if (!is_at(text_.symbols, walk.place, strand.from(walk.left).prefix(searched))) {
      throw_index_fault();
    }
    if (walk.place < walk.left || walk.skipped > fm_.rows() - walk.place - searched) return;
    const std::uint64_t start = walk.place - walk.left;
    if (!is_at(text_.symbols, start, strand.prefix(walk.left)) ||
        !is_at(text_.symbols, walk.place + searched, strand.from(walk.left + searched))) {
      return;
    }
    const std::uint64_t separator = text_.segments.separator_from(start);
    if (separator >= walk.place && separator < walk.place + searched) throw_index_fault();
    if (separator < start + strand.length) return;
    found_[walk.result] = Found<Pos>::at(static_cast<Pos>(start));
  }

  const FmView fm_;
  const TextView text_;
  const Patterns patterns_;
  const std::uint8_t* codes_;
  std::uint64_t next_ =
      0;  ///< next search to start: twice the pattern, plus 1 for its reverse complement
  std::uint64_t strand_;   ///< first strand to search: 0 forward, 1 reverse
  std::uint64_t strands_;  ///< one more than the last strand to search
  std::uint64_t many_;     ///< rows of a k-mer from which another one is looked up
  Found<Pos>* found_;
  Meter& meter_;
};

template <class Pos, class Meter>
GSX_HD void search_all(const SearchedIndex& index, const Patterns& patterns, bool forward,
                       bool reverse, Found<Pos>* found, Meter& meter) {
  if (index.fm.bwt.level_count == 1) {
    Search<Pos, true, Meter>(index, patterns, forward, reverse, found, meter).run();
  } else {
    Search<Pos, false, Meter>(index, patterns, forward, reverse, found, meter).run();
  }
}

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
void search_baseline(const SearchedIndex& index, const Patterns& patterns, bool forward,
                     bool reverse, Found<Pos>* found) {
  NoMeter meter;
  search_all(index, patterns, forward, reverse, found, meter);
}
template <class Pos>
GSX_TARGET_AVX2 void search_avx2(const SearchedIndex& index, const Patterns& patterns, bool forward,
                                 bool reverse, Found<Pos>* found) {
  NoMeter meter;
  search_all(index, patterns, forward, reverse, found, meter);
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

std::uint64_t count_search_lines(const SearchedIndex& index, const Patterns& patterns,
                                 bool complements) {
  std::vector<Found<std::uint64_t>> found(2 * patterns.size());
  LineMeter meter;
  search_all(index, patterns, true, complements, found.data(), meter);
  return meter.lines;
}

}  // namespace gsx
