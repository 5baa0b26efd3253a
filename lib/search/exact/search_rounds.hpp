// Backward search on the CPU in rounds: in each, the searches that wait for the same kind of memory
// go on together. So a loop does one thing, without a branch that nothing predicts, and the cache
// misses of many searches overlap.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "search/exact/cpu_search.hpp"
#include "search/exact/index_fault.hpp"
#include "search/exact/search_state.hpp"
#include "search/exact/walk_steps.hpp"

namespace gsx {

/// Searches all patterns, `searches_in_flight` at a time. Steps says how walks go on.
template <class Pos, class Steps, class Meter>
class SearchRounds {
 public:
  GSX_HD SearchRounds(const SearchedIndex& index, const Patterns& patterns, bool forward,
                      bool reverse, Found<Pos>* found, Meter& meter)
      : fm_(index.fm),
        text_(index.text),
        patterns_(patterns),
        next_(forward ? 0 : 1),
        strand_(forward ? 0 : 1),
        strands_(reverse ? 2 : 1),
        many_(many_times * (index.fm.rows() / index.fm.kmers.bounds.size + 4)),
        found_(found),
        meter_(meter),
        steps_(fm_, meter) {
    for (std::size_t i = 0; i < searches_in_flight; ++i)
      free_.push(static_cast<std::uint16_t>(i));
  }

  /// What is prefetched in one loop is used by a later one, or by the same in the next round.
  GSX_HD void run() {
    refill();
    while (free_.size < searches_in_flight) {
      compare_texts();
      take_samples();
      if (Steps::has_rows) steps_.step_rows(rows_, leaving_);
      steps_.step_intervals(intervals_, leaving_);
      sort_out();
      take_kmers();
      refill();
    }
  }

 private:
  template <class T>
  using List = Queue<T, searches_in_flight>;

  /// How far ahead patterns are prefetched: far enough that they arrive in time, near enough that
  /// they are still in the L1 cache then.
  static constexpr std::uint64_t codes_ahead = 2048, ends_ahead = 64;

  /// Symbols that must be left for a comparison with the text to save more lines than it takes.
  static constexpr std::uint64_t least_compared = 4;

  /// A first k-mer with more than `many_times` as many rows as the mean one is from a repeat, whose
  /// copies mostly differ somewhere: then up to `other_seeds` more k-mers of the pattern are looked
  /// up.
  static constexpr std::uint64_t many_times = 4;
  static constexpr std::uint8_t other_seeds = 3;
  /// The least distance of two of them, and the most.
  static constexpr std::uint64_t least_stride = 4, most_stride = 1u << 20;

  /// Starts searches in place of those that have ended.
  GSX_HD void refill() {
    while (free_.size > 0 && next_ < 2 * patterns_.size()) {
      const std::uint64_t pattern = next_ / 2;
      const std::uint64_t begin = patterns_.begin_of(pattern);
      const std::uint64_t length = patterns_.ends[pattern] - begin;
      const std::uint16_t id = free_.items[free_.size - 1];
      Task<Pos>& task = tasks_[id];
      task.result = next_;
      task.strand = {patterns_.codes.data() + begin, length, next_ % 2 == 1};
      next_ = next_ % 2 + 1 < strands_ ? next_ + 1 : 2 * pattern + 2 + strand_;
      if (!task.strand.reverse || strand_ == 1) {
        __builtin_prefetch(patterns_.ends.data() + pattern + ends_ahead);
        for (std::uint64_t done = 0; done < length && done < 256; done += 64)
          __builtin_prefetch(task.strand.codes + codes_ahead + done);
      }
      found_[task.result] = {0, 0, false};
      if (length == 0 || length >= fm_.rows()) continue;
      --free_.size;
      if (fm_.kmers.k > 0 && length >= fm_.kmers.k) {
        task.seeds = other_seeds;
        look_up(task, id, 0);
      } else {
        task.skipped = 0;
        read_before(task, length);
        go_on(id, {0, static_cast<Pos>(fm_.rows())}, task.run);
      }
    }
  }
  /// Makes task.run the codes before code `end`.
  GSX_HD void read_before(Task<Pos>& task, std::uint64_t end) const {
    task.run = Steps::codes_before(task.strand, end, fm_.sigma);
    task.unread = end - task.run.count;
  }
  /// Looks up the interval of the k-mer before the last `skipped` symbols. Ends the search if the
  /// pattern has a symbol outside the alphabet there.
  GSX_HD void look_up(Task<Pos>& task, std::uint16_t id, std::uint64_t skipped) {
    const std::uint32_t k = fm_.kmers.k;
    const std::uint64_t end = task.strand.length - skipped;
    task.skipped = static_cast<std::uint32_t>(skipped);
    if (Steps::code_bits == 2) {
      read_before(task, end);
      const std::uint64_t number = task.run.codes & ((std::uint64_t{1} << (2 * k)) - 1);
      task.place = task.run.count < k ? KmerView::none : number + number / 4;
      task.run = {task.run.codes >> (2 * k), task.run.count - k};
    } else {
      std::uint64_t i = end;
      task.place = fm_.kmers.slot([&]() -> std::uint32_t { return task.strand[--i]; });
      read_before(task, end - k);
    }
    if (task.place == KmerView::none) {
      free_.push(id);
      return;
    }
    prefetch_bytes(fm_.kmers.address(task.place), 16);
    meter_.fetch(fm_.kmers.address(task.place), sizeof(std::uint64_t));
    kmers_.push(id);
  }
  /// Takes the intervals of k-mers.
  GSX_HD void take_kmers() {
    const std::size_t count = kmers_.size;
    kmers_.size = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint16_t id = kmers_.items[i];
      Task<Pos>& task = tasks_[id];
      Interval<Pos> rows = fm_.kmers.template interval<Pos>(task.place);
      if (rows.end > fm_.rows()) throw_index_fault();
      if (rows.begin >= rows.end) {
        free_.push(id);
      } else if (rows.count() <= many_ || !looks_further(task, id, rows)) {
        sort_out(id, rows, task.run);
      }
    }
  }
  /// Takes the rows of a k-mer that has many. Looks up another one if there is one, and returns
  /// true (also if that ends the search); otherwise goes on from that with the fewest.
  GSX_HD bool looks_further(Task<Pos>& task, std::uint16_t id, Interval<Pos>& rows) {
    if (task.seeds == other_seeds || rows.count() < task.best.count()) {
      task.best = rows;
      task.best_skipped = task.skipped;
    }
    const std::uint64_t apart = stride(task.strand.length);
    if (task.seeds > 0 && apart >= least_stride) {
      --task.seeds;
      look_up(task, id, (other_seeds - task.seeds) * apart);
      return true;
    }
    if (task.skipped != task.best_skipped) {
      rows = task.best;
      task.skipped = task.best_skipped;
      read_before(task, task.strand.length - task.skipped - fm_.kmers.k);
    }
    return false;
  }
  /// How far apart k-mers of a pattern are looked up: so that what is left before the first of them
  /// mostly has a sampled row.
  GSX_HD std::uint64_t stride(std::uint64_t length) const {
    const std::uint64_t needed = fm_.kmers.k + 3 * std::uint64_t{fm_.sampling.rate()} + 8;
    return length < needed ? 0 : std::min((length - needed) / other_seeds, most_stride);
  }

  /// Moves on the walks that leave their queue.
  GSX_HD void sort_out() {
    for (std::size_t i = 0; i < leaving_.size; ++i) {
      const Walk<Pos> walk = leaving_[i];
      if (walk.end > fm_.rows()) throw_index_fault();
      if (walk.begin >= walk.end) {
        free_.push(static_cast<std::uint16_t>(walk.id()));
      } else {
        sort_out(static_cast<std::uint16_t>(walk.id()), {walk.begin, walk.end},
                 {walk.codes, walk.ready()});
      }
    }
    leaving_.size = 0;
  }
  /// Says how a search goes on from `rows`, of which there are some. The next codes are in `run`.
  GSX_HD void sort_out(std::uint16_t id, Interval<Pos> rows, const CodeRun& run) {
    Task<Pos>& task = tasks_[id];
    const std::uint64_t left = task.unread + run.count;
    if (left == 0) {
      if (task.skipped > 0) {
        start_again(task, id);
      } else {
        found_[task.result] = {rows.begin, rows.count(), false};
        free_.push(id);
      }
    } else if (rows.count() == 1 && left + task.skipped >= least_compared &&
               fm_.sampling.keeps(rows.begin)) {
      task.unread = left;
      task.place = fm_.sampling.block(rows.begin);
      const std::uint8_t* sample = fm_.sample_address(rows.begin);
      prefetch_bytes(sample, 8);
      meter_.fetch(sample, sizeof(std::uint64_t));
      samples_.push(id);
    } else {
      go_on(id, rows, run);
    }
  }
  /// Goes on with the next symbol.
  GSX_HD void go_on(std::uint16_t id, Interval<Pos> rows, CodeRun run) {
    if (run.count == 0) {
      Task<Pos>& task = tasks_[id];
      read_before(task, task.unread);
      run = task.run;
      if (run.count == 0) {  // the next symbol is outside the alphabet
        free_.push(id);
        return;
      }
    }
    const Walk<Pos> walk{rows.begin, rows.end, run.codes, std::uint32_t{id} << 16 | run.count};
    steps_.enter(walk);
    (Steps::has_rows && rows.count() == 1 ? rows_ : intervals_).push(walk);
  }
  /// Starts again with the last k-mer: what is left of another was taken, and that does not say
  /// where the pattern must be.
  GSX_HD void start_again(Task<Pos>& task, std::uint16_t id) {
    task.seeds = 0;
    task.best = fm_.template all<Pos>();
    look_up(task, id, 0);
  }

  /// Takes the text positions of the symbols that have been searched.
  GSX_HD void take_samples() {
    for (std::size_t i = 0; i < samples_.size; ++i) {
      Task<Pos>& task = tasks_[samples_.items[i]];
      task.place = fm_.samples[task.place];
      const std::uint64_t length = task.strand.length;
      if (task.place >= fm_.rows() ||
          length - task.unread - task.skipped > fm_.rows() - task.place) {
        throw_index_fault();
      }
      const std::uint64_t start = task.place < task.unread ? 0 : task.place - task.unread;
      const std::uint64_t stop = std::min<std::uint64_t>(start + length, fm_.rows());
      const std::uint8_t* first = text_.symbols.bytes + start * text_.symbols.bits / 8;
      const std::uint8_t* last = text_.symbols.bytes + stop * text_.symbols.bits / 8;
      prefetch_bytes(first, static_cast<std::uint64_t>(last - first) + 8);
      meter_.fetch(first, static_cast<std::uint64_t>(last - first) + 1);
      texts_.push(samples_.items[i]);
    }
    samples_.size = 0;
  }
  GSX_HD void compare_texts() {
    for (std::size_t i = 0; i < texts_.size; ++i) {
      compare(tasks_[texts_.items[i]]);
      free_.push(texts_.items[i]);
    }
    texts_.size = 0;
  }
  /// Compares with the text the symbols that have been searched, which must be there, and those
  /// before and after them.
  GSX_HD void compare(const Task<Pos>& task) const {
    const StrandCodes& strand = task.strand;
    const std::uint64_t searched = strand.length - task.unread - task.skipped;
    const bool fits =
        task.place >= task.unread && task.skipped <= fm_.rows() - task.place - searched;
    const std::uint64_t start = task.place - task.unread;
    const bool agrees = fits && is_at(text_.symbols, start, strand);
    if (!agrees && !is_at(text_.symbols, task.place, strand.from(task.unread).prefix(searched)))
      throw_index_fault();
    const std::uint64_t separator = text_.segments.separator_from(agrees ? start : task.place);
    const std::uint64_t separator_searched =
        separator < task.place ? text_.segments.separator_from(task.place) : separator;
    if (separator_searched < task.place + searched) throw_index_fault();
    if (!agrees || separator < start + strand.length) return;
    found_[task.result] = Found<Pos>::at(static_cast<Pos>(start));
  }

  const FmView fm_;
  const TextView text_;
  const Patterns patterns_;
  std::uint64_t next_;     ///< result of the next search to start
  std::uint64_t strand_;   ///< first strand to search: 0 forward, 1 reverse
  std::uint64_t strands_;  ///< one more than the last strand to search
  std::uint64_t many_;     ///< rows of a k-mer from which another one is looked up
  Found<Pos>* found_;
  Meter& meter_;

  Steps steps_;

  std::array<Task<Pos>, searches_in_flight> tasks_;
  List<std::uint16_t> free_;     ///< numbers of tasks that may be used
  List<std::uint16_t> kmers_;    ///< tasks that wait for the interval of a k-mer
  Walks<Pos> intervals_;         ///< walks that wait for two ranks
  Walks<Pos> rows_;              ///< walks that wait for the rank of their only row
  Walks<Pos> leaving_;           ///< walks that do not go on as those beside them
  List<std::uint16_t> samples_;  ///< tasks that wait for a sample
  List<std::uint16_t> texts_;    ///< tasks that wait for the text
};

}  // namespace gsx
