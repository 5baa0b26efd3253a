// Sorting groups of suffixes by one key after another, on any number of threads.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "base/buffer.hpp"
#include "base/parallel.hpp"
#include "base/progress.hpp"
#include "index/sa/groups/partition.hpp"
#include "index/sa/groups/record_sorter.hpp"
#include "index/sa/groups/row_slices.hpp"
#include "index/sa/groups/tie_bits.hpp"
#include "index/sa/tuning.hpp"

namespace gsx {

/// Sorts ranges of suffixes. Each thread collects narrow ranges in its RecordSorter and sorts them
/// alone. All threads together split a wide range into parts by key, so that no text leaves most of
/// the work to one thread.
/// Memory: RecordSorter::bytes per thread, and sizeof(Pos) + 1 bytes per row of the widest range
/// that was split.
template <class Pos>
class GroupSorter {
 public:
  /// A range of more rows is wide.
  static constexpr std::uint64_t wide_limit = sa_tuning::wide_range;

  explicit GroupSorter(int threads)
      : threads_(threads), batches_(static_cast<std::size_t>(threads)) {
    for (int t = 0; t < threads; ++t)
      sorters_.push_back(std::make_unique<RecordSorter>());
  }
  int threads() const { return threads_; }
  RecordSorter& sorter(int thread) { return *sorters_[static_cast<std::size_t>(thread)]; }

  /// Frees the memory that splitting takes; the next wide range allocates it again.
  void release() {
    moved_ = {};
    classes_ = {};
  }

  /// Calls seed(task, thread, sort) for each of `tasks` tasks. Each call of sort(begin, end, depth)
  /// adds the range [begin, end) of `suffixes`; it is sorted by the keys from `depth` on before
  /// this function returns. RecordSorter::sort_groups describes key_at and on_tie. Several threads
  /// call all of them.
  template <class Seed, class KeyAt, class OnTie>
  void sort(Pos* suffixes, std::uint64_t tasks, const Seed& seed, const KeyAt& key_at,
            const OnTie& on_tie) {
    std::vector<Range> wide;
    std::mutex mutex;
    parallel_for(threads_, tasks, [&](std::uint64_t task, int thread) {
      seed(task, thread, [&](std::uint64_t begin, std::uint64_t end, std::uint64_t depth) {
        if (end - begin > wide_limit) {
          const std::lock_guard lock(mutex);
          wide.push_back({begin, end, depth});
        } else {
          sort_narrow(suffixes, {begin, end, depth}, thread, key_at, on_tie);
        }
      });
      flush(suffixes, thread, key_at, on_tie);
    });
    std::vector<Range> narrow;
    while (!wide.empty()) {
      const Range range = wide.back();
      wide.pop_back();
      split(suffixes, range, key_at, on_tie,
            [&](const Range& part) { (part.size() > wide_limit ? wide : narrow).push_back(part); });
    }
    const std::uint64_t slices =
        static_cast<std::uint64_t>(threads_) * sa_tuning::slices_per_thread;
    parallel_for(threads_, slices, [&](std::uint64_t s, int thread) {
      const Slice slice = slice_of(narrow.size(), slices, s);
      for (std::uint64_t i = slice.begin; i < slice.end; ++i)
        sort_narrow(suffixes, narrow[i], thread, key_at, on_tie);
      flush(suffixes, thread, key_at, on_tie);
    });
  }

 private:
  struct Range {
    std::uint64_t begin;
    std::uint64_t end;
    std::uint64_t depth;
    std::uint64_t size() const { return end - begin; }
  };
  /// Ranges whose suffixes are records of a thread's sorter, one range after another.
  struct Batch {
    std::vector<Range> ranges;
    std::uint64_t records = 0;
  };

  static constexpr std::size_t splitter_count = sa_tuning::splitters;
  static constexpr std::size_t class_count = 2 * (splitter_count + 1);
  static constexpr std::uint64_t ahead = sa_tuning::keys_ahead;

  /// Distinct keys in increasing order; the last one is repeated to fill the array.
  using Splitters = std::array<std::uint64_t, splitter_count>;

  /// Adds a range to the thread's batch; partitions a range that is too large until its parts fit.
  template <class KeyAt, class OnTie>
  void sort_narrow(Pos* suffixes, const Range& range, int thread, const KeyAt& key_at,
                   const OnTie& on_tie) {
    if (range.size() <= RecordSorter::limit) [[likely]]
      return add(suffixes, range, thread, key_at, on_tie);
    std::vector<Range> stack{range};
    while (!stack.empty()) {
      const Range top = stack.back();
      stack.pop_back();
      if (top.size() <= RecordSorter::limit) {
        add(suffixes, top, thread, key_at, on_tie);
        continue;
      }
      const auto [less_end, equal_end, pivot] = partition(suffixes, top, key_at);
      stack.push_back({top.begin, less_end, top.depth});
      stack.push_back({equal_end, top.end, top.depth});
      if (equal_end - less_end < 2) continue;
      const std::uint64_t depth =
          act(suffixes, less_end, equal_end, on_tie(less_end, equal_end, top.depth, pivot));
      if (depth != keep_order) stack.push_back({less_end, equal_end, depth});
    }
  }

  template <class KeyAt, class OnTie>
  void add(Pos* suffixes, const Range& range, int thread, const KeyAt& key_at,
           const OnTie& on_tie) {
    if (range.size() < 2) return;
    Batch& batch = batches_[static_cast<std::size_t>(thread)];
    if (batch.records + range.size() > RecordSorter::limit) flush(suffixes, thread, key_at, on_tie);
    SuffixRecord* records = sorter(thread).records() + batch.records;
    for (std::uint64_t i = 0; i < range.size(); ++i)
      records[i] = SuffixRecord::of(0, suffixes[range.begin + i]);
    batch.ranges.push_back(range);
    batch.records += range.size();
    if (batch.records > sa_tuning::batch_records) flush(suffixes, thread, key_at, on_tie);
  }

  template <class KeyAt, class OnTie>
  void flush(Pos* suffixes, int thread, const KeyAt& key_at, const OnTie& on_tie) {
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
        suffixes[row] = static_cast<Pos>((record++)->position());
    }
    batch.ranges.clear();
    batch.records = 0;
  }

  /// Carries out a TieAction that needs no key; returns keep_order then, else the action.
  static std::uint64_t act(Pos* suffixes, std::uint64_t begin, std::uint64_t end,
                           std::uint64_t action) {
    if (action != order_by_position) return action;
    std::sort(suffixes + begin, suffixes + end);
    return keep_order;
  }

  template <class KeyAt>
  static Partition partition(Pos* suffixes, const Range& range, const KeyAt& key_at) {
    return partition_rows(
        {range.begin, range.end},
        [&](std::uint64_t row) { return key_at(suffixes[row], range.depth); },
        [&](std::uint64_t row) { key_at.prefetch(suffixes[row], range.depth); },
        [&](std::uint64_t a, std::uint64_t b) { std::swap(suffixes[a], suffixes[b]); });
  }

  template <class KeyAt>
  static Splitters choose_splitters(const Pos* suffixes, const Range& range, const KeyAt& key_at) {
    std::array<std::uint64_t, splitter_count * sa_tuning::samples_per_splitter> sample;
    const std::uint64_t stride = range.size() / sample.size();
    for (std::size_t i = 0; i < sample.size(); ++i) {
      const std::uint64_t row = range.begin + i * stride + uneven_step(i, stride);
      sample[i] = key_at(suffixes[row], range.depth);
    }
    std::sort(sample.begin(), sample.end());
    Splitters splitters;
    std::size_t count = 0;
    for (std::size_t i = sa_tuning::samples_per_splitter / 2; i < sample.size();
         i += sa_tuning::samples_per_splitter) {
      if (count == 0 || splitters[count - 1] != sample[i]) splitters[count++] = sample[i];
    }
    std::fill(splitters.begin() + count, splitters.end(), splitters[count - 1]);
    return splitters;
  }

  /// Twice the number of splitters below the key, plus 1 when the next splitter equals the key.
  static std::uint8_t class_of(const Splitters& splitters, std::uint64_t key) {
    std::size_t below = 0;
    for (std::size_t step = (splitter_count + 1) / 2; step > 0; step /= 2)
      below += splitters[below + step - 1] < key ? step : 0;
    const bool equal = below < splitter_count && splitters[below] == key;
    return static_cast<std::uint8_t>(2 * below + (equal ? 1 : 0));
  }

  /// One step of samplesort: a stable pass distributes the suffixes into classes, one for each
  /// splitter and one for each gap between splitters. Calls on_part for each class to sort further.
  template <class KeyAt, class OnTie, class OnPart>
  void split(Pos* suffixes, const Range& range, const KeyAt& key_at, const OnTie& on_tie,
             const OnPart& on_part) {
    const Splitters splitters = choose_splitters(suffixes, range, key_at);
    if (splitters.front() == splitters.back() &&
        split_off_few(suffixes, range, splitters.front(), key_at, on_tie, on_part))
      return;
    if (moved_.size() < range.size()) {
      release();
      moved_ = Buffer<Pos>(range.size(), "sorting");
      classes_ = Buffer<std::uint8_t>(range.size(), "sorting");
    }
    const std::uint64_t slices =
        static_cast<std::uint64_t>(threads_) * sa_tuning::split_slices_per_thread;
    std::vector<std::array<std::uint64_t, class_count>> next(slices);
    Pos* first = suffixes + range.begin;
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
          equal ? act(suffixes, begin, end, on_tie(begin, end, range.depth, splitters[c / 2]))
                : range.depth;
      if (depth != keep_order) on_part({begin, end, depth});
    }
  }

  /// Does the same where hardly any key differs from `common`, as in a text with a short period:
  /// moves only the suffixes of other keys. Returns false, and moves nothing, if they are many.
  template <class KeyAt, class OnTie, class OnPart>
  bool split_off_few(Pos* suffixes, const Range& range, std::uint64_t common, const KeyAt& key_at,
                     const OnTie& on_tie, const OnPart& on_part) {
    const std::uint64_t slices =
        static_cast<std::uint64_t>(threads_) * sa_tuning::split_slices_per_thread;
    const std::uint64_t most = range.size() / slices / sa_tuning::few_other_keys;
    std::vector<std::vector<std::uint64_t>> less(slices), greater(slices);
    std::atomic<bool> few{true};
    Pos* first = suffixes + range.begin;
    parallel_for(threads_, slices, [&](std::uint64_t s, int) {
      const Slice slice = slice_of(range.size(), slices, s);
      for (std::uint64_t i = slice.begin; i < slice.end && few.load(std::memory_order_relaxed);
           ++i) {
        key_at.prefetch(first[std::min(i + ahead, slice.end - 1)], range.depth);
        const std::uint64_t key = key_at(first[i], range.depth);
        if (key == common) [[likely]]
          continue;
        (key < common ? less : greater)[s].push_back(i);
        if (less[s].size() + greater[s].size() > most) few = false;
      }
    });
    if (!few) return false;
    std::vector<std::uint64_t> others;
    std::vector<Pos> below, above;
    for (std::uint64_t s = 0; s < slices; ++s) {
      for (const auto& [rows, to] : {std::pair{&less[s], &below}, std::pair{&greater[s], &above}}) {
        others.insert(others.end(), rows->begin(), rows->end());
        for (const std::uint64_t row : *rows)
          to->push_back(first[row]);
      }
    }
    std::sort(others.begin(), others.end());
    const std::uint64_t equal_begin = below.size(), equal_end = range.size() - above.size();
    // The common keys at both ends go to the rows that the others leave between them.
    auto free = std::lower_bound(others.begin(), others.end(), equal_begin);
    for (const Slice& end : {Slice{0, equal_begin}, Slice{equal_end, range.size()}}) {
      for (std::uint64_t row = end.begin; row < end.end; ++row) {
        if (!std::binary_search(others.begin(), others.end(), row)) first[*free++] = first[row];
      }
    }
    std::copy(below.begin(), below.end(), first);
    std::copy(above.begin(), above.end(), first + equal_end);
    const Range equal{range.begin + equal_begin, range.begin + equal_end, range.depth};
    if (below.size() > 1) on_part({range.begin, equal.begin, range.depth});
    if (above.size() > 1) on_part({equal.end, range.end, range.depth});
    const std::uint64_t depth =
        act(suffixes, equal.begin, equal.end, on_tie(equal.begin, equal.end, range.depth, common));
    if (depth != keep_order) on_part({equal.begin, equal.end, depth});
    return true;
  }

  int threads_;
  std::vector<std::unique_ptr<RecordSorter>> sorters_;
  std::vector<Batch> batches_;
  Buffer<Pos> moved_;
  Buffer<std::uint8_t> classes_;
};

/// Sorts the groups of `tied` among `size` suffixes by the keys from `depth` on. For key_at and
/// on_tie see RecordSorter::sort_groups.
template <class Pos, class KeyAt, class OnTie>
void sort_groups(GroupSorter<Pos>& sorter, Pos* suffixes, std::uint64_t size, const TieBits& tied,
                 std::uint64_t depth, const KeyAt& key_at, const OnTie& on_tie,
                 const ProgressReport& progress) {
  const RowSlices slices(size, sorter.threads());
  sorter.sort(
      suffixes, slices.count(),
      [&](std::uint64_t s, int thread, const auto& sort) {
        const Slice slice = slices[s];
        tied.for_each_group(
            slice, [&](std::uint64_t begin, std::uint64_t end) { sort(begin, end, depth); });
        if (thread == 0 && progress)
          progress("sorting repeats", static_cast<double>(slice.end) / static_cast<double>(size));
      },
      key_at, on_tie);
}

}  // namespace gsx
