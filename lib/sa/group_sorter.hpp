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
#include "sa/range_sorter.hpp"

namespace gsx {

/// Sorts ranges of rows. A range that one thread can sort while the others have as much to do is
/// one thread's work; a wider one is split by all threads into parts by key, one range after
/// another, so that no text leaves a single thread with most of the work.
/// Memory: RangeSorter<Pos>::bytes a thread, and sizeof(Pos) + 1 bytes a row of the widest range
/// that was split.
template <class Pos>
class GroupSorter {
 public:
  /// What on_tie returns for suffixes that need no further key.
  static constexpr std::uint64_t settled = ~std::uint64_t{0};

  /// A range of more rows is wide: splitting it takes about a millisecond, much more than starting
  /// all threads.
  static constexpr std::uint64_t wide_limit = std::uint64_t{1} << 17;

  explicit GroupSorter(int threads) : threads_(threads) {
    for (int t = 0; t < threads; ++t)
      sorters_.push_back(std::make_unique<RangeSorter<Pos>>());
  }
  int threads() const { return threads_; }

  /// Calls seed(task, thread, sort) for each of `tasks` tasks; sort(begin, end, depth) has the rows
  /// of [begin, end) sorted by key_at(position, depth). For each maximal run of at least two equal
  /// keys, on_tie(begin, end, depth, key) gives the depth of the key to sort it by next, or
  /// `settled`. key_at.prefetch(position, depth) asks for what the key is read from. All are called
  /// by several threads.
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
    });
    std::vector<Range> narrow;
    while (!wide.empty()) {
      const Range range = wide.back();
      wide.pop_back();
      split(rows, range, key_at, on_tie,
            [&](const Range& part) { (part.size() > wide_limit ? wide : narrow).push_back(part); });
    }
    parallel_for(threads_, narrow.size(), [&](std::uint64_t i, int thread) {
      sort_narrow(rows, narrow[i], thread, key_at, on_tie);
    });
  }

 private:
  struct Range {
    std::uint64_t begin;
    std::uint64_t end;
    std::uint64_t depth;
    std::uint64_t size() const { return end - begin; }
  };

  static constexpr std::size_t splitter_count = 127;
  static constexpr std::size_t samples_per_splitter = 8;
  static constexpr std::size_t class_count = 2 * (splitter_count + 1);
  static constexpr std::uint64_t slices_per_thread = 4;

  /// Distinct keys in increasing order, the last one repeated to fill the array.
  using Splitters = std::array<std::uint64_t, splitter_count>;

  template <class KeyAt, class OnTie>
  void sort_narrow(Pos* rows, const Range& range, int thread, const KeyAt& key_at,
                   const OnTie& on_tie) {
    RangeSorter<Pos>& sorter = *sorters_[static_cast<std::size_t>(thread)];
    std::vector<Range> stack{range};
    while (!stack.empty()) {
      const Range top = stack.back();
      stack.pop_back();
      sorter.sort(
          rows, top.begin, top.end, [&](Pos p) { return key_at(p, top.depth); },
          [&](Pos p) { key_at.prefetch(p, top.depth); },
          [&](std::uint64_t begin, std::uint64_t end, std::uint64_t key) {
            const std::uint64_t next = on_tie(begin, end, top.depth, key);
            if (next != settled) stack.push_back({begin, end, next});
          });
    }
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
      moved_ = {};
      classes_ = {};
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
        if (i + RangeSorter<Pos>::ahead < slice.end) {
          key_at.prefetch(first[i + RangeSorter<Pos>::ahead], range.depth);
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
          equal ? on_tie(begin, end, range.depth, splitters[c / 2]) : range.depth;
      if (depth != settled) on_part({begin, end, depth});
    }
  }

  int threads_;
  std::vector<std::unique_ptr<RangeSorter<Pos>>> sorters_;
  Buffer<Pos> moved_;
  Buffer<std::uint8_t> classes_;
};

}  // namespace gsx
