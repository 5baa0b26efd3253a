// The B* suffixes of a text in order.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <mutex>
#include <vector>

#include "base/bits.hpp"
#include "base/buffer.hpp"
#include "base/parallel.hpp"
#include "base/progress.hpp"
#include "sa/bstar/alphabetic_code.hpp"
#include "sa/bstar/bigram_buckets.hpp"
#include "sa/bstar/bstar_scan.hpp"
#include "sa/bstar/left_context.hpp"
#include "sa/groups/group_sorter.hpp"
#include "sa/groups/text_sorter.hpp"
#include "sa/groups/tie_bits.hpp"
#include "sa/suffix_key.hpp"

namespace gsx {

/// A B* suffix in its bucket: its key without the bits that the bucket says and, in place of the
/// lowest 16 bits, what precedes it.
template <class Pos>
struct StoredBStar {
  Pos words[sizeof(Pos) == 4 ? 3 : 2];

  void set(std::uint64_t key, std::uint64_t position) {
    if constexpr (sizeof(Pos) == 4) words[2] = static_cast<Pos>(key >> 32);
    words[0] = static_cast<Pos>(key);
    words[1] = static_cast<Pos>(position);
  }
  std::uint64_t key() const {
    if constexpr (sizeof(Pos) == 4) return std::uint64_t{words[2]} << 32 | words[0];
    return words[0];
  }
  std::uint64_t position() const { return words[1]; }
};

/// Distributes B* suffixes into buckets by the leading bits of their keys (AlphabeticCode), which
/// it stores with them, and sorts each bucket in a core's cache.
template <class Pos>
class BStarSorter {
 public:
  /// Counts the B* suffixes; `pairs` has all suffixes. Cost:
  /// one pass over the text.
  BStarSorter(const TextView& text, const BigramBuckets& pairs, GroupSorter<Pos>& sorter)
      : text_(text),
        code_(text, pairs),
        sorter_(sorter),
        threads_(sorter.threads()),
        bits_(std::clamp(bit_length(text.length()) - 12, 1, 16)),
        pairs_{text.symbols.bits, {}} {
    count();
  }
  BStarSorter(const BStarSorter&) = delete;

  std::uint64_t size() const { return starts_.back(); }
  /// Where B* suffixes stand in order() by their first two symbols.
  const BigramBuckets& pairs() const { return pairs_; }
  Pos* order() { return order_.data(); }

  /// Sorts by up to `limit` symbols; what agrees on these is marked in `tied`. `stored` is room for
  /// size() stars, `low` and `high`, if words are wide, for what precedes them. Cost: one pass over
  /// the text and 30 ns a suffix that few symbols settle.
  void sort_buckets(StoredBStar<Pos>* stored, std::uint8_t* low, std::uint8_t* high,
                    std::uint64_t limit, TieBits& tied, const ProgressReport& progress) {
    low_ = low;
    high_ = high;
    distribute(stored);
    order_ = Buffer<Pos>(size(), "suffix array");
    const TextKey keys{SuffixKeys(text_)};
    const auto on_tie = text_tie(keys.keys, limit, tied);
    const auto on_first_tie = [&](std::uint64_t begin, std::uint64_t end,
                                  const SuffixRecord& one) -> std::uint64_t {
      const std::uint64_t shared = code_.shared_symbols(one.key, key_bits(), one.position());
      if (shared < limit) return shared;
      tied.mark_group(begin, end);
      return keep_order;
    };
    const auto prefetch = [&](std::uint64_t p) { keys.prefetch(p, 0); };
    parallel_for(threads_, starts_.size() - 1, [&](std::uint64_t b, int thread) {
      RecordSorter& sorter = sorter_.sorter(thread);
      for_each_part(stored, b, [&](Slice rows, int top) {
        const auto for_each = [&](const auto& visit) {
          for (std::uint64_t row = rows.begin; row < rows.end; ++row)
            visit(record(b, stored[row]));
        };
        sorter.sort_first(for_each, rows.end - rows.begin, rows.begin, top, prefetch, on_first_tie);
        sorter.sort_groups(keys, on_tie);
        for (std::uint64_t row = rows.begin; row < rows.end; ++row) {
          order_[row] = static_cast<Pos>(sorter.records()[row - rows.begin].position());
          set_before(row, sorter.records()[row - rows.begin].tag());
        }
      });
      if (thread == 0 && progress)
        progress("sorting suffixes", static_cast<double>(starts_[b]) / static_cast<double>(size()));
    });
  }

  /// The same for what sort_buckets() left for all threads, without what it stored.
  void sort_large(std::uint64_t limit, TieBits& tied) {
    const TextKey keys{SuffixKeys(text_)};
    sorter_.sort(
        order_.data(), large_.size(),
        [&](std::uint64_t i, int, const auto& sort) { sort(large_[i].begin, large_[i].end, 0); },
        keys, text_tie(keys.keys, limit, tied));
  }

  /// To be called when all is sorted: says of suffixes that were `tied`, and of those of large
  /// buckets, that it is to be looked up what precedes them.
  void forget_before(const TieBits& tied) {
    const std::uint64_t slices = static_cast<std::uint64_t>(threads_) * 64;
    const auto forget = [&](std::uint64_t row) { set_before(row, LeftContextReader<true>::empty); };
    parallel_for(threads_, slices, [&](std::uint64_t s, int) {
      tied.for_each_row(slice_of(size(), slices, s, 64), forget);
    });
    // Rows may be both.
    parallel_for(threads_, slices, [&](std::uint64_t s, int) {
      for (const Slice& rows : large_) {
        const Slice slice = slice_of(rows.end - rows.begin, slices, s);
        for (std::uint64_t i = slice.begin; i < slice.end; ++i)
          forget(rows.begin + i);
      }
    });
  }

 private:
  static constexpr int tag_bits = 16;
  static constexpr int valid_packed_bits = 57;

  void set_before(std::uint64_t row, LeftContext word) {
    low_[row] = static_cast<std::uint8_t>(word);
    if (high_ != nullptr) high_[row] = static_cast<std::uint8_t>(word >> 8);
  }

  /// Bits of a stream that are a key: of those that are valid, as many as are stored or the bucket
  /// says.
  int key_bits() const {
    return std::min(64 - tag_bits + bits_, code_.is_packed() ? valid_packed_bits : 64);
  }
  std::uint64_t bucket_of(std::uint64_t key) const { return key >> (64 - bits_); }

  void count() {
    const std::uint64_t buckets = std::uint64_t{1} << bits_;
    const auto slices = static_cast<std::uint64_t>(threads_);
    const int pair_shift = 64 - 2 * static_cast<int>(pairs_.bits);
    const std::uint64_t pairs = std::uint64_t{1} << 2 * pairs_.bits;
    next_.assign(slices * buckets, 0);
    std::vector<Pos> pair_counts(slices * pairs, 0);
    parallel_for(threads_, slices, [&](std::uint64_t s, int) {
      Pos* in_bucket = &next_[s * buckets];
      Pos* in_pair = &pair_counts[s * pairs];
      BStarScan(text_, code_).for_each(slice(s), [&](std::uint64_t p, std::uint64_t key) {
        ++in_bucket[bucket_of(key)];
        ++in_pair[text_.symbols.window(p) >> pair_shift];
      });
    });
    starts_ = starts_of(next_, buckets);
    pairs_.starts = starts_of(pair_counts, pairs);
  }

  /// Turns counts of each slice into where it starts, and gives where each bucket starts.
  std::vector<std::uint64_t> starts_of(std::vector<Pos>& counts, std::uint64_t buckets) const {
    std::vector<std::uint64_t> starts(buckets + 1, 0);
    std::uint64_t total = 0;
    for (std::uint64_t b = 0; b < buckets; ++b) {
      for (std::uint64_t i = b; i < counts.size(); i += buckets)
        total += std::exchange(counts[i], static_cast<Pos>(total));
      starts[b + 1] = total;
    }
    return starts;
  }

  Slice slice(std::uint64_t s) const {
    return slice_of(text_.length(), static_cast<std::uint64_t>(threads_), s, 1024);
  }

  void distribute(StoredBStar<Pos>* stored) {
    const std::uint64_t buckets = std::uint64_t{1} << bits_;
    const std::uint64_t mask = ~std::uint64_t{0} << (64 - key_bits());
    parallel_for(threads_, static_cast<std::uint64_t>(threads_), [&](std::uint64_t s, int) {
      Pos* next = &next_[s * buckets];
      BStarScan(text_, code_).for_each(slice(s), [&](std::uint64_t p, std::uint64_t key) {
        stored[next[bucket_of(key)]++].set(
            (key & mask) << bits_ | left_context_at(text_.symbols, p), p);
      });
    });
    next_ = {};
  }

  SuffixRecord record(std::uint64_t bucket, const StoredBStar<Pos>& star) const {
    const std::uint64_t low = star.key();
    return SuffixRecord::of(bucket << (64 - bits_) | low >> tag_bits << (tag_bits - bits_),
                            star.position(), static_cast<LeftContext>(low));
  }

  /// Calls on_part(rows, bits of their keys that differ at most) for parts of a bucket that fit a
  /// RecordSorter, made by partition around sampled medians. What is too large for one thread, or
  /// has the same key, is left for all threads, which then take keys from the text.
  template <class OnPart>
  void for_each_part(StoredBStar<Pos>* stored, std::uint64_t bucket, const OnPart& on_part) {
    std::vector<Slice> stack{{starts_[bucket], starts_[bucket + 1]}};
    int top = 64 - bits_;
    for (; !stack.empty(); top = 0) {
      const Slice rows = stack.back();
      stack.pop_back();
      const std::uint64_t size = rows.end - rows.begin;
      if (size == 0) continue;
      if (size <= RecordSorter::limit) {
        on_part(rows, top != 0 ? top : differing_bits(stored, bucket, rows));
      } else if (size > GroupSorter<Pos>::wide_limit) {
        leave(stored, rows);
      } else {
        const Slice equal = partition(stored, rows);
        stack.push_back({rows.begin, equal.begin});
        stack.push_back({equal.end, rows.end});
        if (equal.end - equal.begin <= RecordSorter::limit) {
          stack.push_back(equal);
        } else {
          leave(stored, equal);
        }
      }
    }
  }

  int differing_bits(const StoredBStar<Pos>* stored, std::uint64_t bucket, Slice rows) const {
    std::uint64_t differing = 1;
    for (std::uint64_t row = rows.begin + 1; row < rows.end; ++row)
      differing |= record(bucket, stored[row]).key ^ record(bucket, stored[rows.begin]).key;
    return bit_length(differing);
  }

  /// Puts lower keys before and higher ones behind those that are returned.
  static Slice partition(StoredBStar<Pos>* stored, Slice rows) {
    const auto key = [&](std::uint64_t row) { return stored[row].key() >> tag_bits; };
    std::array<std::uint64_t, 63> sample;
    const std::uint64_t stride = (rows.end - rows.begin) / sample.size();
    for (std::size_t i = 0; i < sample.size(); ++i)
      sample[i] = key(rows.begin + i * stride);
    std::nth_element(sample.begin(), sample.begin() + sample.size() / 2, sample.end());
    const std::uint64_t pivot = sample[sample.size() / 2];
    std::uint64_t low = rows.begin, middle = rows.begin, high = rows.end;
    while (middle < high) {
      if (key(middle) < pivot) {
        std::swap(stored[low++], stored[middle++]);
      } else if (key(middle) > pivot) {
        std::swap(stored[middle], stored[--high]);
      } else {
        ++middle;
      }
    }
    return {low, high};
  }

  void leave(const StoredBStar<Pos>* stored, Slice rows) {
    for (std::uint64_t row = rows.begin; row < rows.end; ++row)
      order_[row] = static_cast<Pos>(stored[row].position());
    const std::lock_guard lock(mutex_);
    large_.push_back(rows);
  }

  TextView text_;
  AlphabeticCode code_;
  GroupSorter<Pos>& sorter_;
  int threads_;
  int bits_;  ///< of a key, that choose its bucket
  BigramBuckets pairs_;
  std::vector<std::uint64_t> starts_;
  std::vector<Pos> next_;     ///< where each slice's next star of each bucket goes
  std::mutex mutex_;          ///< of large_
  std::vector<Slice> large_;  ///< rows that are sorted by all threads
  std::uint8_t* low_ = nullptr;
  std::uint8_t* high_ = nullptr;
  Buffer<Pos> order_;
};

}  // namespace gsx
