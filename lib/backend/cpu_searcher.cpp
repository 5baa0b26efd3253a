#include "backend/cpu_searcher.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/error.hpp"

namespace gsx {
namespace {

/// Searches in flight a thread: enough misses to fill a core's line buffers, few enough for their
/// state to stay in its first cache.
constexpr std::size_t in_flight = 32;

void prefetch_rank(const FmView& fm, std::uint64_t row) {
  __builtin_prefetch(fm.bwt.levels[0].blocks + row / QuadBlock::digits);
}

/// One pattern on one strand.
struct Job {
  std::size_t pattern;
  bool reverse;
};

/// The jobs of a batch, in order: forward then reverse of each pattern.
class Jobs {
 public:
  Jobs(const Patterns& patterns, Strands strands, bool complements)
      : count_(patterns.size()),
        forward_(strands != Strands::reverse),
        reverse_(complements && strands != Strands::forward) {}

  bool next(Job& job) {
    for (; pattern_ < count_; ++pattern_, side_ = 0) {
      if (side_ == 0) {
        side_ = 1;
        if (forward_) {
          job = {pattern_, false};
          return true;
        }
      }
      if (side_ == 1) {
        side_ = 2;
        if (reverse_) {
          job = {pattern_, true};
          return true;
        }
      }
    }
    return false;
  }

 private:
  std::size_t count_;
  std::size_t pattern_ = 0;
  int side_ = 0;
  bool forward_;
  bool reverse_;
};

/// A backward search in progress. Backward search takes a pattern's symbols from the last to the
/// first; those of its reverse complement are then the complements from the first to the last.
template <class Pos>
struct Walk {
  Job job;
  const std::uint8_t* symbols;
  std::uint64_t left;
  std::uint64_t slot;  ///< of the k-mer it begins with, until that is looked up; else none
  Interval<Pos> interval;

  std::uint32_t next_code() {
    --left;
    if (!job.reverse) return symbols[left];
    const std::uint8_t code = *symbols++;
    return code < 4 ? complement(code) : Alphabet::none;
  }
};

/// Checksums say that an index is as it was written, not that it was written honestly: a walk that
/// leaves the rows, or does not end, is the mark of one that was not.
[[noreturn]] void throw_impossible_walk() {
  throw CorruptIndexError(
      "the index is corrupt: its BWT leads outside itself; rebuild it with gsx index");
}

/// Runs every job, `in_flight` of them interleaved, and calls done(job, interval) for each, in no
/// particular order.
template <class Pos, class Done>
void search_all(const FmView& fm, const Patterns& patterns, Jobs jobs, const Done& done) {
  std::array<Walk<Pos>, in_flight> walks;
  const auto start = [&](Walk<Pos>& walk) {
    while (jobs.next(walk.job)) {
      const auto symbols = patterns[walk.job.pattern];
      if (symbols.empty() || symbols.size() >= fm.rows()) {
        done(walk.job, Interval<Pos>{0, 0});
        continue;
      }
      walk.symbols = symbols.data();
      walk.left = symbols.size();
      walk.interval = fm.all<Pos>();
      walk.slot = KmerView::none;
      if (fm.kmers.k == 0 || walk.left < fm.kmers.k) return true;
      walk.slot = fm.kmers.slot([&] { return walk.next_code(); });
      if (walk.slot != KmerView::none) {
        __builtin_prefetch(fm.kmers.address(walk.slot));
        return true;
      }
      done(walk.job, Interval<Pos>{0, 0});
    }
    return false;
  };
  const auto step = [&](Walk<Pos>& walk) -> Interval<Pos> {
    if (walk.slot != KmerView::none) {
      return fm.kmers.interval<Pos>(std::exchange(walk.slot, KmerView::none));
    }
    const std::uint32_t code = walk.next_code();
    return code < fm.sigma ? fm.extend(walk.interval, code) : Interval<Pos>{0, 0};
  };
  std::size_t active = 0;
  while (active < in_flight && start(walks[active]))
    ++active;
  while (active > 0) {
    for (std::size_t i = 0; i < active; ++i) {
      Walk<Pos>& walk = walks[i];
      walk.interval = step(walk);
      if (walk.interval.end > fm.rows()) throw_impossible_walk();
      if (walk.left > 0 && walk.interval.begin < walk.interval.end) {
        prefetch_rank(fm, walk.interval.begin);
        prefetch_rank(fm, walk.interval.end);
        continue;
      }
      done(walk.job, walk.interval.begin < walk.interval.end ? walk.interval : Interval<Pos>{0, 0});
      if (!start(walk)) walk = walks[--active];
    }
  }
}

/// Text positions of rows[0, count), written over them, `in_flight` walks interleaved.
template <class Pos>
void locate_all(const FmView& fm, Pos* rows, std::uint64_t* positions, std::size_t count) {
  struct Step {
    std::size_t slot;
    Pos row;
    std::uint64_t steps;
  };
  std::array<Step, in_flight> walks;
  std::size_t next = 0, active = 0;
  const auto start = [&](Step& step) {
    if (next == count) return false;
    step = {next, rows[next], 0};
    prefetch_rank(fm, rows[next]);
    ++next;
    return true;
  };
  while (active < in_flight && start(walks[active]))
    ++active;
  while (active > 0) {
    for (std::size_t i = 0; i < active; ++i) {
      Step& step = walks[i];
      if (fm.step_back(step.row, step.steps, positions[step.slot])) {
        if (positions[step.slot] >= fm.rows()) throw_impossible_walk();
        if (!start(step)) step = walks[--active];
      } else {
        if (step.row >= fm.rows() || step.steps > fm.rows()) throw_impossible_walk();
        prefetch_rank(fm, step.row);
      }
    }
  }
}

template <class Pos>
void count_patterns(const FmView& fm, const Patterns& patterns, const Jobs& jobs,
                    std::vector<StrandCounts>& counts) {
  search_all<Pos>(fm, patterns, jobs, [&](const Job& job, const Interval<Pos>& interval) {
    (job.reverse ? counts[job.pattern].reverse : counts[job.pattern].forward) = interval.count();
  });
}

template <class Pos>
void locate_patterns(const FmView& fm, const Patterns& patterns, const Jobs& jobs,
                     std::uint64_t max_hits, Hits& result) {
  std::vector<std::array<Interval<Pos>, 2>> intervals(patterns.size());
  search_all<Pos>(fm, patterns, jobs, [&](const Job& job, const Interval<Pos>& interval) {
    intervals[job.pattern][job.reverse ? 1 : 0] = interval;
  });
  std::vector<Pos> rows;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    const auto& [forward, reverse] = intervals[i];
    result.counts[i] = {forward.count(), reverse.count()};
    const std::uint64_t from_forward = std::min<std::uint64_t>(max_hits, forward.count());
    const std::uint64_t from_reverse =
        std::min<std::uint64_t>(max_hits - from_forward, reverse.count());
    for (std::uint64_t k = 0; k < from_forward; ++k) {
      rows.push_back(static_cast<Pos>(forward.begin + k));
    }
    for (std::uint64_t k = 0; k < from_reverse; ++k) {
      rows.push_back(static_cast<Pos>(reverse.begin + k));
    }
    result.hit_ends.push_back(rows.size());
  }
  std::vector<std::uint64_t> positions(rows.size());
  locate_all(fm, rows.data(), positions.data(), rows.size());
  result.hits.resize(rows.size());
  std::uint64_t begin = 0;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    const std::uint64_t end = result.hit_ends[i];
    const std::uint64_t forward_end =
        begin + std::min<std::uint64_t>(end - begin, result.counts[i].forward);
    for (std::uint64_t k = begin; k < end; ++k) {
      result.hits[k] = Hit(positions[k], k >= forward_end);
    }
    std::sort(result.hits.begin() + static_cast<std::ptrdiff_t>(begin),
              result.hits.begin() + static_cast<std::ptrdiff_t>(end));
    begin = end;
  }
}

}  // namespace

CpuSearcher::CpuSearcher(const Index& index, int threads)
    : fm_(index.fm()),
      complements_(index.alphabet().has_reverse_complement()),
      wide_(is_wide(index.meta().length, PositionWidth::automatic)),
      threads_(threads) {}

void CpuSearcher::count(const Patterns& patterns, Strands strands,
                        std::vector<StrandCounts>& counts) const {
  counts.assign(patterns.size(), {});
  const Jobs jobs(patterns, strands, complements_);
  if (wide_) {
    count_patterns<std::uint64_t>(fm_, patterns, jobs, counts);
  } else {
    count_patterns<std::uint32_t>(fm_, patterns, jobs, counts);
  }
}

void CpuSearcher::locate(const Patterns& patterns, Strands strands, std::uint64_t max_hits,
                         Hits& hits) const {
  hits.counts.assign(patterns.size(), {});
  hits.hits.clear();
  hits.hit_ends.clear();
  const Jobs jobs(patterns, strands, complements_);
  if (wide_) {
    locate_patterns<std::uint64_t>(fm_, patterns, jobs, max_hits, hits);
  } else {
    locate_patterns<std::uint32_t>(fm_, patterns, jobs, max_hits, hits);
  }
}

}  // namespace gsx
