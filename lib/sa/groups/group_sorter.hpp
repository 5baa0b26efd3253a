// Sorting groups of suffixes by one key after another on any number of threads.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "base/buffer.hpp"
#include "base/parallel.hpp"
#include "sa/groups/record_sorter.hpp"

namespace gsx {

/// Sorts ranges of rows. Ranges that one thread can sort while the others have as much to do are
/// gathered and sorted by one thread; a wider one is split by all threads into parts by key, one
/// range after another, so that no text leaves a single thread with most of the work.
/// Memory: RecordSorter::bytes a thread, and sizeof(Pos) + 1 bytes a row of the widest range that
/// was split.
template <class Pos>
class GroupSorter {
 public:
  /// A range of more rows is wide: splitting it takes about a millisecond, much more than starting
  /// all threads.
  static constexpr std::uint64_t wide_limit = std::uint64_t{1} << 17;

  explicit GroupSorter(int threads)
      : threads_(threads), batches_(static_cast<std::size_t>(threads)) {
    for (int t = 0; t < threads; ++t)
      sorters_.push_back(std::make_unique<RecordSorter>());
  }
  int threads() const { return threads_; }
  RecordSorter& sorter(int thread) { return *sorters_[static_cast<std::size_t>(thread)]; }

  /// Frees what splitting wide ranges took; the next one takes it anew.
  void release() {
    moved_ = {};
    classes_ = {};
  }

  /// Calls seed(task, thread, sort) for each of `tasks` tasks; sort(begin, end, depth) has the rows
  /// of [begin, end) sorted by keys from `depth` on, sooner or later. For key_at and on_tie see
  /// RecordSorter::sort_groups. All are called by several threads.
  template <class Seed, class KeyAt, class OnTie>
  void sort(Pos* rows, std::uint64_t tasks, const Seed& seed, const KeyAt& key_at,
            const OnTie& on_tie) {
    std::vector<Range> wide;
    std::mutex mutex;
    parallel_for(threads_, tasks, [&](std::uint64_t task, int thread) {
      seed(task, thread, [&](std::uint64_t begin, std::uint64_t end, std::uint64_t depth) {
        if (end - begin > wide_limit) {
          const std::lock_guard lock(mutex);
          wide.push_back({begin, end, depth});
        } else {
          sort_narrow(rows, {begin, end, depth}, thread, key_at, on_tie);
        }
      });
      flush(rows, thread, key_at, on_tie);
    });
    std::vector<Range> narrow;
    while (!wide.empty()) {
      const Range range = wide.back();
      wide.pop_back();
      split(rows, range, key_at, on_tie,
            [&](const Range& part) { (part.size() > wide_limit ? wide : narrow).push_back(part); });
    }
    parallel_for(threads_, slices(), [&](std::uint64_t s, int thread) {
      const Slice slice = slice_of(narrow.size(), slices(), s);
      for (std::uint64_t i = slice.begin; i < slice.end; ++i)
        sort_narrow(rows, narrow[i], thread, key_at, on_tie);
      flush(rows, thread, key_at, on_tie);
    });
  }

 private:
  struct Range {
    std::uint64_t begin;
    std::uint64_t end;
    std::uint64_t depth;
    std::uint64_t size() const { return end - begin; }
  };
  /// Ranges whose rows a thread's sorter has as records, one after another.
  struct Batch {
    std::vector<Range> ranges;
    std::uint64_t records = 0;
  };

  static constexpr std::size_t splitter_count = 127;
  static constexpr std::size_t samples_per_splitter = 8;
  static constexpr std::size_t class_count = 2 * (splitter_count + 1);
  static constexpr std::uint64_t slices_per_thread = 4;
  /// Rows asked for in advance.
  static constexpr std::uint64_t ahead = 16;
  /// A batch of more records leaves too little of the cache to what keys are read from.
  static constexpr std::uint64_t batch_limit = std::uint64_t{1} << 12;

  /// Distinct keys in increasing order, the last one repeated to fill the array.
  using Splitters = std::array<std::uint64_t, splitter_count>;

  std::uint64_t slices() const { return static_cast<std::uint64_t>(threads_) * 64; }

  /// Puts a range into the thread's batch; one too large for it is partitioned until its parts fit.
  template <class KeyAt, class OnTie>
  void sort_narrow(Pos* rows, const Range& range, int thread, const KeyAt& key_at,
                   const OnTie& on_tie) {
    if (range.size() <= RecordSorter::limit) [[likely]]
      return add(rows, range, thread, key_at, on_tie);
    std::vector<Range> stack{range};
    while (!stack.empty()) {
      const Range top = stack.back();
      stack.pop_back();
      if (top.size() <= RecordSorter::limit) {
        add(rows, top, thread, key_at, on_tie);
        continue;
      }
      const auto [less_end, equal_end, pivot] = partition(rows, top, key_at);
      stack.push_back({top.begin, less_end, top.depth});
      stack.push_back({equal_end, top.end, top.depth});
      if (equal_end - less_end < 2) continue;
      const std::uint64_t depth =
          answer(rows, less_end, equal_end, on_tie(less_end, equal_end, top.depth, pivot));
      if (depth != keep_order) stack.push_back({less_end, equal_end, depth});
    }
  }

  template <class KeyAt, class OnTie>
  void add(Pos* rows, const Range& range, int thread, const KeyAt& key_at, const OnTie& on_tie) {
    if (range.size() < 2) return;
    Batch& batch = batches_[static_cast<std::size_t>(thread)];
    if (batch.records + range.size() > RecordSorter::limit) flush(rows, thread, key_at, on_tie);
    SuffixRecord* records = sorter(thread).records() + batch.records;
    for (std::uint64_t i = 0; i < range.size(); ++i)
      records[i] = SuffixRecord::of(0, rows[range.begin + i]);
    batch.ranges.push_back(range);
    batch.records += range.size();
    if (batch.records > batch_limit) flush(rows, thread, key_at, on_tie);
  }

  template <class KeyAt, class OnTie>
  void flush(Pos* rows, int thread, const KeyAt& key_at, const OnTie& on_tie) {
    Batch& batch = batches_[static_cast<std::size_t>(thread)];
    RecordSorter& records = sorter(thread);
    std::uint64_t begin = 0;
    for (const Range& range : batch.ranges) {
      records.add_group(begin, begin + range.size(), range.begin, range.depth);
      begin += range.size();
    }
    records.sort_groups(key_at, on_tie);
    const SuffixRecord* record = records.records();
    for (const Range& range : batch.ranges) {
      for (std::uint64_t row = range.begin; row < range.end; ++row)
        rows[row] = static_cast<Pos>((record++)->position());
    }
    batch.ranges.clear();
    batch.records = 0;
  }

  /// A TieAction, after the rows have been sorted where it is order_by_position.
  static std::uint64_t answer(Pos* rows, std::uint64_t begin, std::uint64_t end,
                              std::uint64_t given) {
    if (given != order_by_position) return given;
    std::sort(rows + begin, rows + end);
    return keep_order;
  }

  struct Partition {
    std::uint64_t less_end;
    std::uint64_t equal_end;
    std::uint64_t pivot;
  };
  /// Less, equal and greater than a sampled median.
  template <class KeyAt>
  static Partition partition(Pos* rows, const Range& range, const KeyAt& key_at) {
    std::array<std::uint64_t, 127> sample;
    const std::uint64_t stride = range.size() / sample.size();
    for (std::size_t i = 0; i < sample.size(); ++i) {
      // An odd step through the range, so that a period of the text does not bias the sample.
      sample[i] = key_at(rows[range.begin + (i * stride + i * i) % range.size()], range.depth);
    }
    std::nth_element(sample.begin(), sample.begin() + sample.size() / 2, sample.end());
    const std::uint64_t pivot = sample[sample.size() / 2];
    std::uint64_t low = range.begin, middle = range.begin, high = range.end;
    while (middle < high) {
      key_at.prefetch(rows[std::min(middle + ahead, high - 1)], range.depth);
      const std::uint64_t key = key_at(rows[middle], range.depth);
      if (key < pivot) {
        std::swap(rows[low++], rows[middle++]);
      } else if (key > pivot) {
        std::swap(rows[middle], rows[--high]);
      } else {
        ++middle;
      }
    }
    return {low, high, pivot};
  }

  template <class KeyAt>
  static Splitters choose_splitters(const Pos* rows, const Range& range, const KeyAt& key_at) {
    std::array<std::uint64_t, splitter_count * samples_per_splitter> sample;
    const std::uint64_t stride = range.size() / sample.size();
    for (std::size_t i = 0; i < sample.size(); ++i) {
      // An uneven step, so that a period of the text does not bias the sample.
      const std::uint64_t step = i * stride + (i * 0x9E3779B97F4A7C15u >> 32) % stride;
      sample[i] = key_at(rows[range.begin + step], range.depth);
    }
    std::sort(sample.begin(), sample.end());
    Splitters splitters;
    std::size_t count = 0;
    for (std::size_t i = samples_per_splitter / 2; i < sample.size(); i += samples_per_splitter) {
      if (count == 0 || splitters[count - 1] != sample[i]) splitters[count++] = sample[i];
    }
    std::fill(splitters.begin() + count, splitters.end(), splitters[count - 1]);
    return splitters;
  }

  /// Twice the number of splitters below the key, and 1 more when it equals the next one.
  static std::uint8_t class_of(const Splitters& splitters, std::uint64_t key) {
    std::size_t below = 0;
    for (std::size_t step = (splitter_count + 1) / 2; step > 0; step /= 2)
      below += splitters[below + step - 1] < key ? step : 0;
    const bool equal = below < splitter_count && splitters[below] == key;
    return static_cast<std::uint8_t>(2 * below + (equal ? 1 : 0));
  }

  /// Samplesort: one stable pass puts the rows into classes below, equal to and above splitters.
  template <class KeyAt, class OnTie, class OnPart>
  void split(Pos* rows, const Range& range, const KeyAt& key_at, const OnTie& on_tie,
             const OnPart& on_part) {
    const Splitters splitters = choose_splitters(rows, range, key_at);
    if (moved_.size() < range.size()) {
      release();
      moved_ = Buffer<Pos>(range.size(), "sorting");
      classes_ = Buffer<std::uint8_t>(range.size(), "sorting");
    }
    const std::uint64_t slices = static_cast<std::uint64_t>(threads_) * slices_per_thread;
    std::vector<std::array<std::uint64_t, class_count>> next(slices);
    Pos* first = rows + range.begin;
    parallel_for(threads_, slices, [&](std::uint64_t s, int) {
      const Slice slice = slice_of(range.size(), slices, s);
      next[s].fill(0);
      for (std::uint64_t i = slice.begin; i < slice.end; ++i) {
        if (i + ahead < slice.end) {
          key_at.prefetch(first[i + ahead], range.depth);
        }
        classes_[i] = class_of(splitters, key_at(first[i], range.depth));
        ++next[s][classes_[i]];
      }
    });
    std::array<std::uint64_t, class_count + 1> starts;
    std::uint64_t total = 0;
    for (std::size_t c = 0; c < class_count; ++c) {
      starts[c] = total;
      for (auto& counts : next)
        total += std::exchange(counts[c], total);
    }
    starts[class_count] = total;
    parallel_for(threads_, slices, [&](std::uint64_t s, int) {
      const Slice slice = slice_of(range.size(), slices, s);
      for (std::uint64_t i = slice.begin; i < slice.end; ++i)
        moved_[next[s][classes_[i]]++] = first[i];
    });
    parallel_for(threads_, slices, [&](std::uint64_t s, int) {
      const Slice slice = slice_of(range.size(), slices, s);
      std::copy(moved_.data() + slice.begin, moved_.data() + slice.end, first + slice.begin);
    });
    for (std::size_t c = 0; c < class_count; ++c) {
      const std::uint64_t begin = range.begin + starts[c], end = range.begin + starts[c + 1];
      if (end - begin < 2) continue;
      const bool equal = c % 2 == 1;
      const std::uint64_t depth =
          equal ? answer(rows, begin, end, on_tie(begin, end, range.depth, splitters[c / 2]))
                : range.depth;
      if (depth != keep_order) on_part({begin, end, depth});
    }
  }

  int threads_;
  std::vector<std::unique_ptr<RecordSorter>> sorters_;
  std::vector<Batch> batches_;
  Buffer<Pos> moved_;
  Buffer<std::uint8_t> classes_;
};

}  // namespace gsx
