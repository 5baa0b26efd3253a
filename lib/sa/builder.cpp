#include "sa/builder.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "base/bits.hpp"
#include "base/log.hpp"
#include "base/parallel.hpp"
#include "base/resources.hpp"
#include "sa/range_sorter.hpp"
#include "sa/row_marks.hpp"
#include "sa/suffix_key.hpp"

namespace gsx {
namespace {

/// Keys that every suffix may fetch before its group is put off: enough for all but the repeats
/// of a genome, few enough not to hurt where doubling is the better way.
constexpr std::uint64_t first_keys = 4;
/// Groups put off go on fetching keys when all of them together need at most this many fetches a
/// symbol of the text; else ranks double.
constexpr std::uint64_t fetches_per_symbol = 4;
/// Slices of rows a thread: small enough to balance, large enough not to show.
constexpr std::uint64_t slices_per_thread = 64;

template <class Pos>
class Builder {
 public:
  Builder(const TextView& text, int threads, const ProgressReport& progress)
      : text_(text),
        keys_(text),
        threads_(threads),
        progress_(progress),
        length_(text.length()),
        rows_(length_, "suffix array"),
        tied_(length_) {
    for (int t = 0; t < threads; ++t)
      sorters_.push_back(std::make_unique<RangeSorter<Pos>>());
  }

  Buffer<Pos> run() {
    Stopwatch watch;
    distribute();
    log().debug("suffix array: distributed in {:.3f} s", watch.lap());
    const std::uint64_t depth = first_keys * keys_.symbols;
    parallel_for(threads_, bucket_ends_.size() - 1, [&](std::uint64_t bucket, int thread) {
      refine(thread, {bucket_ends_[bucket], bucket_ends_[bucket + 1], 0}, depth, tied_);
      report(thread, "sorting suffixes", bucket_ends_[bucket + 1]);
    });
    bucket_ends_ = {};
    std::uint64_t tied = tied_.count(threads_);
    log().debug("suffix array: sorted {} symbols deep in {:.3f} s, {} rows tied", depth,
                watch.lap(), tied);
    if (tied == 0) return std::move(rows_);

    const std::uint64_t more = fetches_per_symbol * length_ / tied;
    std::uint64_t common = depth;
    if (more >= 2 * first_keys) {
      common += more * keys_.symbols;
      RowMarks next(length_);
      for_each_group([&](int thread, std::uint64_t begin, std::uint64_t end) {
        refine(thread, {begin, end, depth}, common, next);
      });
      std::swap(tied_, next);
      tied = tied_.count(threads_);
      log().debug("suffix array: sorted {} symbols deep in {:.3f} s, {} rows tied", common,
                  watch.lap(), tied);
    }
    if (tied != 0) double_ranks(common);
    log().debug("suffix array: ranks doubled in {:.3f} s", watch.lap());
    return std::move(rows_);
  }

 private:
  /// Rows [begin, end) agree on their first `depth` symbols.
  struct Group {
    std::uint64_t begin;
    std::uint64_t end;
    std::uint64_t depth;
  };

  void report(int thread, const char* stage, std::uint64_t rows) const {
    if (thread == 0 && progress_) {
      progress_(stage, static_cast<double>(rows) / static_cast<double>(length_));
    }
  }

  /// Puts the separators' rows first and all other positions into buckets by the leading bits of
  /// their keys, in text order within a bucket.
  void distribute() {
    // Buckets of about 2^12 suffixes are sorted in a core's cache; more than 2^16 of them would
    // make the scattered writes miss it.
    const int bits = std::clamp(bit_length(length_) - 12, 1, 16);
    const std::uint64_t buckets = std::uint64_t{1} << bits;
    const auto slices = static_cast<std::uint64_t>(threads_);
    std::vector<std::uint64_t> next(slices * buckets, 0);
    const auto for_each_prefix = [&](std::uint64_t s, auto&& visit) {
      const Slice slice = slice_of(length_, slices, s);
      if (slice.begin == slice.end) return;
      std::uint64_t segment = text_.segments.segment_at(slice.begin);
      for (std::uint64_t p = slice.begin; p < slice.end; ++segment) {
        const std::uint64_t separator = text_.segments.starts[segment + 1] - 1;
        for (; p < std::min(separator, slice.end); ++p) {
          visit(p, keys_.at(p, separator) >> (64 - bits));
        }
        if (p < slice.end) rows_[segment] = static_cast<Pos>(p++);
      }
    };
    parallel_for(threads_, slices, [&](std::uint64_t s, int) {
      std::uint64_t* counts = &next[s * buckets];
      for_each_prefix(s, [&](std::uint64_t, std::uint64_t prefix) { ++counts[prefix]; });
    });
    std::uint64_t total = text_.segments.count;
    bucket_ends_.assign(buckets + 1, total);
    for (std::uint64_t b = 0; b < buckets; ++b) {
      for (std::uint64_t s = 0; s < slices; ++s) {
        total += std::exchange(next[s * buckets + b], total);
      }
      bucket_ends_[b + 1] = total;
    }
    parallel_for(threads_, slices, [&](std::uint64_t s, int) {
      std::uint64_t* rows = &next[s * buckets];
      for_each_prefix(s, [&](std::uint64_t p, std::uint64_t prefix) {
        rows_[rows[prefix]++] = static_cast<Pos>(p);
      });
    });
  }

  /// Sorts a group by keys from the text until its suffixes are told apart, or agree on at least
  /// `limit` symbols, in which case they are marked as tied.
  void refine(int thread, Group group, std::uint64_t limit, RowMarks& marks) {
    std::vector<Group> stack{group};
    Pos* rows = rows_.data();
    while (!stack.empty()) {
      const Group top = stack.back();
      stack.pop_back();
      sorters_[static_cast<std::size_t>(thread)]->sort(
          rows, top.begin, top.end, [&](Pos p) { return keys_.at(p + top.depth); },
          [&](std::uint64_t begin, std::uint64_t end, std::uint64_t key) {
            const std::uint64_t depth = top.depth + keys_.symbols;
            if (keys_.ended(key)) {
              std::sort(rows + begin, rows + end);
            } else if (depth >= limit) {
              marks.mark_group(begin, end);
            } else {
              stack.push_back({begin, end, depth});
            }
          });
    }
  }

  template <class OnGroup>
  void for_each_group(const OnGroup& on_group) {
    const std::uint64_t slices = static_cast<std::uint64_t>(threads_) * slices_per_thread;
    parallel_for(threads_, slices, [&](std::uint64_t s, int thread) {
      const Slice slice = slice_of(length_, slices, s, 64);
      tied_.for_each_group(
          slice, [&](std::uint64_t begin, std::uint64_t end) { on_group(thread, begin, end); });
      report(thread, "sorting repeats", slice.end);
    });
  }

  /// rank[p] = head row of the group that holds p, for the rows chosen by `for_rows`.
  template <class ForRows>
  void write_ranks(Buffer<Pos>& rank, const RowMarks& marks, const ForRows& for_rows) {
    const std::uint64_t slices = static_cast<std::uint64_t>(threads_) * slices_per_thread;
    parallel_for(threads_, slices, [&](std::uint64_t s, int) {
      const Slice slice = slice_of(length_, slices, s, 64);
      if (slice.begin == slice.end) return;
      std::uint64_t head = marks.head_of(slice.begin);
      for_rows(slice, [&](std::uint64_t row) {
        if (!marks.tied(row)) head = row;
        rank[rows_[row]] = static_cast<Pos>(head);
      });
    });
  }

  /// Prefix doubling: tied suffixes agree on h symbols, so the ranks of the suffixes h further on
  /// order them by 2h. Sorted rows are never touched again. Ranks are read by all groups before
  /// any is changed; else two members of one group could be judged by ranks of different rounds.
  void double_ranks(std::uint64_t h) {
    Buffer<Pos> rank(length_, "ranks of suffixes");
    write_ranks(rank, tied_, [](Slice slice, auto&& on_row) {
      for (std::uint64_t row = slice.begin; row < slice.end; ++row)
        on_row(row);
    });
    RowMarks next(length_);
    for (; tied_.count(threads_) != 0; h *= 2) {
      next.clear();
      for_each_group([&](int thread, std::uint64_t begin, std::uint64_t end) {
        sorters_[static_cast<std::size_t>(thread)]->sort(
            rows_.data(), begin, end, [&](Pos p) -> std::uint64_t { return rank[p + h]; },
            [&](std::uint64_t first, std::uint64_t last, std::uint64_t) {
              next.mark_group(first, last);
            });
      });
      write_ranks(rank, next,
                  [&](Slice slice, auto&& on_row) { tied_.for_each_row(slice, on_row); });
      std::swap(tied_, next);
    }
  }

  TextView text_;
  SuffixKeys keys_;
  int threads_;
  const ProgressReport& progress_;
  std::uint64_t length_;
  Buffer<Pos> rows_;
  RowMarks tied_;
  std::vector<std::uint64_t> bucket_ends_;
  std::vector<std::unique_ptr<RangeSorter<Pos>>> sorters_;
};

}  // namespace

SuffixArray build_suffix_array(const TextView& text, int threads, PositionWidth width,
                               const ProgressReport& progress) {
  if (is_wide(text.length(), width)) {
    return SuffixArray(Builder<std::uint64_t>(text, threads, progress).run());
  }
  return SuffixArray(Builder<std::uint32_t>(text, threads, progress).run());
}

std::uint64_t suffix_array_bytes(std::uint64_t length, int threads, PositionWidth width) {
  const std::uint64_t entry = is_wide(length, width) ? 8 : 4;
  return 2 * entry * length + length / 4 +
         static_cast<std::uint64_t>(threads) * (RangeSorter<std::uint64_t>::bytes + (1 << 19));
}

}  // namespace gsx
