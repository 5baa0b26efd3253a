// Backward search on the CPU in rounds: in each, the searches that wait for the same kind of memory
// go on together. So a loop does one thing, without a branch that nothing predicts, and the cache
// misses of many searches overlap.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "search/cpu_search.hpp"
#include "search/index_fault.hpp"
#include "search/search_state.hpp"

namespace gsx {

/// Searches all patterns, `in_flight` at a time. Wavelet matrices of one level, as for DNA, get
/// their own code.
template <class Pos, bool one_level, class Meter>
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
        meter_(meter) {
    for (std::size_t i = 0; i < in_flight; ++i)
      free_.push(static_cast<std::uint16_t>(i));
  }

  /// What is prefetched in one loop is used by a later one, or by the same in the next round.
  GSX_HD void run() {
    refill();
    while (free_.size < in_flight) {
      compare_texts();
      take_samples();
      if (one_level) step_single_rows();
      step_intervals();
      take_kmers();
      refill();
    }
  }

 private:
  static constexpr bool metered = !std::is_same_v<Meter, NoMeter>;

  /// Searches in flight per thread: enough cache misses to fill the line buffers of a core in every
  /// loop, few enough that their state stays in the L1 cache.
  static constexpr std::size_t in_flight = 64;

  /// How far ahead, in codes, patterns are prefetched: a multiple of those of short reads in
  /// flight.
  static constexpr std::uint64_t codes_ahead = 16384;

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
      for (std::uint64_t done = 0; done < length && done < 256; done += 64)
        __builtin_prefetch(task.strand.codes + codes_ahead + done);
      found_[task.result] = {0, 0, false};
      if (length == 0 || length >= fm_.rows()) continue;
      if (fm_.kmers.k > 0 && length >= fm_.kmers.k) {
        task.seeds = other_seeds;
        if (look_up(task, id, 0)) --free_.size;
      } else {
        --free_.size;
        task.skipped = 0;
        go_on(walk_of(task, id, {0, static_cast<Pos>(fm_.rows())}, 0));
      }
    }
  }
  /// Looks up the interval of the k-mer before the last `skipped` symbols. False if the pattern has
  /// a symbol outside the alphabet there.
  GSX_HD bool look_up(Task<Pos>& task, std::uint16_t id, std::uint64_t skipped) {
    const std::uint32_t k = fm_.kmers.k;
    const StrandCodes kmer = task.strand.from(task.strand.length - skipped - k);
    task.skipped = static_cast<std::uint32_t>(skipped);
    if (one_level && fm_.sigma == 4 && k >= 8) {
      const std::uint64_t first = kmer.eight(0), last = kmer.prefix(k).eight(k - 8);
      if (((first | last) & 0xFCFCFCFCFCFCFCFC) != 0) return false;
      const std::uint64_t number = pack_eight(first) << (2 * (k - 8)) | pack_eight(last);
      task.place = number + number / 4;
    } else {
      std::uint32_t i = k;
      task.place = fm_.kmers.slot([&]() -> std::uint32_t { return kmer[--i]; });
      if (task.place == KmerView::none) return false;
    }
    prefetch_bytes(fm_.kmers.address(task.place), 16);
    meter_.fetch(fm_.kmers.address(task.place), sizeof(std::uint64_t));
    kmers_.push(id);
    return true;
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
        sort_out(walk_of(task, id, rows, fm_.kmers.k));
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
      if (!look_up(task, id, (other_seeds - task.seeds) * apart)) free_.push(id);
      return true;
    }
    rows = task.best;
    task.skipped = task.best_skipped;
    return false;
  }
  /// How far apart k-mers of a pattern are looked up: so that what is left before the first of them
  /// mostly has a sampled row.
  GSX_HD std::uint64_t stride(std::uint64_t length) const {
    const std::uint64_t needed = fm_.kmers.k + 3 * std::uint64_t{fm_.sampling.rate()} + 8;
    return length < needed ? 0 : std::min((length - needed) / other_seeds, most_stride);
  }

  /// The walk that goes on from `rows`, those of `taken` symbols.
  GSX_HD Walk<Pos> walk_of(const Task<Pos>& task, std::uint16_t id, Interval<Pos> rows,
                           std::uint32_t taken) const {
    const StrandCodes& strand = task.strand;
    const std::uint64_t left = strand.length - task.skipped - taken;
    const std::uint64_t first = strand.reverse ? task.skipped + taken : left - 1;
    return {rows.begin,
            rows.end,
            strand.codes + static_cast<std::int64_t>(first),
            left,
            id,
            0,
            static_cast<std::uint8_t>(strand.reverse ? 3 : 0),
            0,
            static_cast<std::int8_t>(strand.reverse ? 1 : -1)};
  }

  /// Prefetches the first and the last line of what may lie in several; those between follow.
  GSX_HD static void prefetch_bytes(const std::uint8_t* first, std::uint64_t bytes) {
    __builtin_prefetch(first);
    __builtin_prefetch(first + bytes - 1);
  }
  GSX_HD void prefetch_rank(const QuadView& level, Pos i) const {
    const Pos block = i / QuadBlock::digits;
    __builtin_prefetch(level.blocks + block);
    __builtin_prefetch(level.superblocks + block / QuadSuperblock::blocks);
  }
  GSX_HD void meter(const QuadView& level, const Walk<Pos>& walk) {
    const QuadBlock* first = level.blocks + walk.begin / QuadBlock::digits;
    const QuadBlock* last = level.blocks + (walk.end - (one_level ? 1 : 0)) / QuadBlock::digits;
    meter_.fetch(first, sizeof(QuadBlock));
    if (reinterpret_cast<std::uintptr_t>(first) / 64 != reinterpret_cast<std::uintptr_t>(last) / 64)
      meter_.fetch(last, sizeof(QuadBlock));
  }
  /// Takes the next code if the walk stays in its queue. Otherwise changes nothing that counts.
  GSX_HD bool take_code(Walk<Pos>& walk, bool stays) const {
    // Behind the first symbol there may be no memory.
    const std::uint8_t code = walk.next[walk.left != 0 ? 0 : -walk.step] ^ walk.flip;
    stays = stays & (walk.left != 0) & (code < fm_.sigma);
    walk.code = code;
    walk.next += stays ? walk.step : 0;
    walk.left -= stays ? 1 : 0;
    return stays;
  }
  /// Notes whether walk i of a queue leaves it.
  GSX_HD void note(std::size_t i, bool stays) {
    leaving_.items[leaving_.size] = static_cast<std::uint16_t>(i);
    leaving_.size += stays ? 0 : 1;
  }

  /// Extends intervals of one row.
  GSX_HD void step_single_rows() {
    const QuadView& level = fm_.bwt.levels[0];
    for (std::size_t i = 0; i < singles_.size; ++i) {
      Walk<Pos>& walk = singles_.items[i];
      Pos row = walk.begin;
      const bool holds = level.holds_and_rank(walk.code, row);
      row += static_cast<Pos>(fm_.c_offset[walk.code]);
      walk.begin = row;
      walk.end = row + (holds ? 1 : 0);
      const bool stays = take_code(walk, holds & (row < fm_.rows()) & !fm_.sampling.keeps(row));
      const QuadBlock* block = level.blocks + row / QuadBlock::digits;
      __builtin_prefetch(stays ? block : level.blocks);
      if (metered && stays) meter_.fetch(block, sizeof(QuadBlock));
      note(i, stays);
    }
    sort_out(singles_);
  }
  /// Extends other intervals.
  GSX_HD void step_intervals() {
    for (std::size_t i = 0; i < intervals_.size; ++i) {
      Walk<Pos>& walk = intervals_.items[i];
      note(i, one_level ? step_interval(walk) : step_level(walk));
    }
    sort_out(intervals_);
  }
  /// Extends an interval to the left; whether the walk stays.
  GSX_HD bool step_interval(Walk<Pos>& walk) {
    const QuadView& level = fm_.bwt.levels[0];
    const auto shift = static_cast<Pos>(fm_.c_offset[walk.code]);
    const Pos begin = level.sorted_rank(walk.code, walk.begin) + shift;
    const Pos end = level.sorted_rank(walk.code, walk.end) + shift;
    walk.begin = begin;
    walk.end = end;
    // A walk of one row needs the block in its next queue.
    __builtin_prefetch(level.blocks + begin / QuadBlock::digits);
    __builtin_prefetch(level.blocks + end / QuadBlock::digits);
    const bool stays =
        take_code(walk, (begin < end) & (static_cast<Pos>(end - begin) > 1) & (end <= fm_.rows()));
    if (metered && stays) meter(level, walk);
    return stays;
  }
  /// Takes the interval to the next level, or on the last to the next symbol; whether the walk
  /// stays.
  GSX_HD bool step_level(Walk<Pos>& walk) {
    fm_.bwt.levels[walk.level].sorted_ranks(
        fm_.bwt.digit_of(walk.code, walk.level), QuadView::block_position(walk.begin),
        static_cast<Pos>(walk.end - walk.begin), walk.begin, walk.end);
    if (walk.begin >= walk.end) {
      walk.begin = walk.end = 0;  // on this level, it may be behind the last row
      return false;
    }
    bool stays = true;
    if (++walk.level == fm_.bwt.level_count) {
      walk.level = 0;
      const auto shift = static_cast<Pos>(fm_.c_offset[walk.code]);
      walk.begin += shift;
      walk.end += shift;
      const bool kept = walk.end - walk.begin == 1 && fm_.sampling.keeps(walk.begin);
      stays = take_code(walk, walk.begin < walk.end && walk.end <= fm_.rows() && !kept);
    }
    if (stays) enter(walk);
    return stays;
  }
  GSX_HD void enter(const Walk<Pos>& walk) {
    const QuadView& level = fm_.bwt.levels[walk.level];
    prefetch_rank(level, walk.begin);
    if (walk.begin / QuadBlock::digits != walk.end / QuadBlock::digits)
      prefetch_rank(level, walk.end);
    meter(level, walk);
  }

  /// Moves on the walks that leave the queue.
  GSX_HD void sort_out(Queue<Walk<Pos>, in_flight>& queue) {
    std::array<Walk<Pos>, in_flight> walks;
    const std::size_t count = leaving_.size;
    while (leaving_.size > 0) {  // from the last to the first, so that the last walk stays
      const std::size_t i = leaving_.items[--leaving_.size];
      walks[leaving_.size] = queue.items[i];
      queue.items[i] = queue.items[--queue.size];
    }
    for (std::size_t i = 0; i < count; ++i)
      sort_out(walks[i]);
  }
  GSX_HD void sort_out(const Walk<Pos>& walk) {
    Task<Pos>& task = tasks_[walk.id];
    if (walk.end > fm_.rows()) throw_index_fault();
    if (walk.begin >= walk.end) {
      free_.push(walk.id);
    } else if (walk.left == 0) {
      if (task.skipped > 0) {
        start_again(task, walk.id);
      } else {
        found_[task.result] = {walk.begin, static_cast<Pos>(walk.end - walk.begin), false};
        free_.push(walk.id);
      }
    } else if (walk.end - walk.begin == 1 && walk.left + task.skipped >= least_compared &&
               fm_.sampling.keeps(walk.begin)) {
      task.left = walk.left;
      task.place = fm_.sampling.block(walk.begin);
      const std::uint8_t* sample = fm_.sample_address(walk.begin);
      prefetch_bytes(sample, 8);
      meter_.fetch(sample, sizeof(std::uint64_t));
      samples_.push(walk.id);
    } else {
      go_on(walk);
    }
  }
  /// Goes on with the next symbol.
  GSX_HD void go_on(Walk<Pos> walk) {
    if (!take_code(walk, true)) {
      free_.push(walk.id);
      return;
    }
    enter(walk);
    (one_level && walk.end - walk.begin == 1 ? singles_ : intervals_).push(walk);
  }
  /// Starts again with the last k-mer: what is left of another was taken, and that does not say
  /// where the pattern must be.
  GSX_HD void start_again(Task<Pos>& task, std::uint16_t id) {
    task.seeds = 0;
    task.best = fm_.template all<Pos>();
    if (!look_up(task, id, 0)) free_.push(id);
  }

  /// Takes the text positions of the symbols that have been searched.
  GSX_HD void take_samples() {
    for (std::size_t i = 0; i < samples_.size; ++i) {
      Task<Pos>& task = tasks_[samples_.items[i]];
      task.place = fm_.samples[task.place];
      const std::uint64_t length = task.strand.length;
      if (task.place >= fm_.rows() || length - task.left - task.skipped > fm_.rows() - task.place) {
        throw_index_fault();
      }
      const std::uint64_t start = task.place < task.left ? 0 : task.place - task.left;
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
    const std::uint64_t searched = strand.length - task.left - task.skipped;
    const bool fits = task.place >= task.left && task.skipped <= fm_.rows() - task.place - searched;
    const std::uint64_t start = task.place - task.left;
    if (!fits || !is_at(text_.symbols, start, strand)) {
      if (!is_at(text_.symbols, task.place, strand.from(task.left).prefix(searched)))
        throw_index_fault();
      return;
    }
    const std::uint64_t separator = text_.segments.separator_from(start);
    if (separator >= task.place && separator < task.place + searched) throw_index_fault();
    if (separator < start + strand.length) return;
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

  std::array<Task<Pos>, in_flight> tasks_;
  Queue<std::uint16_t, in_flight> free_;   ///< numbers of tasks that may be used
  Queue<std::uint16_t, in_flight> kmers_;  ///< tasks that wait for the interval of a k-mer
  Queue<Walk<Pos>, in_flight> intervals_;  ///< walks that wait for two ranks
  Queue<Walk<Pos>, in_flight> singles_;    ///< walks that wait for the rank of their only row
  Queue<std::uint16_t, in_flight>
      leaving_;  ///< places of walks that do not go on as those beside them
  Queue<std::uint16_t, in_flight> samples_;  ///< tasks that wait for a sample
  Queue<std::uint16_t, in_flight> texts_;    ///< tasks that wait for the text
};

}  // namespace gsx
