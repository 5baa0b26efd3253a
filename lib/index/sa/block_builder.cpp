#include "index/sa/block_builder.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <thread>
#include <utility>

#include "index/sa/blocks/block_ranges.hpp"
#include "index/sa/groups/group_sorter.hpp"
#include "index/sa/groups/text_sorter.hpp"
#include "index/sa/groups/tie_bits.hpp"
#include "index/sa/groups/tied_groups.hpp"
#include "index/sa/ranks/syncmer_ranks.hpp"
#include "index/sa/stage_log.hpp"
#include "index/sa/suffix_key.hpp"
#include "index/sa/tuning.hpp"

namespace gsx {
namespace {

/// Compares two suffixes.
template <class Pos>
class SuffixLess {
 public:
  SuffixLess(const SuffixKeys& keys, const SyncmerRanks<Pos>& ranks)
      : keys_(keys), depth_(SyncmerRule(keys.text).depth()), ranks_(ranks) {}

  bool operator()(std::uint64_t p, std::uint64_t q) const {
    for (std::uint64_t depth = 0; depth < depth_; depth += keys_.symbols) {
      const std::uint64_t a = keys_.at(p + depth), b = keys_.at(q + depth);
      if (a != b) return a < b;
      if (keys_.ended(a)) return p < q;
    }
    return ranks_.rank(p) < ranks_.rank(q);
  }

 private:
  const SuffixKeys& keys_;
  std::uint64_t depth_;
  const SyncmerRanks<Pos>& ranks_;
};

template <class Pos>
class BlockBuilder {
 public:
  BlockBuilder(const TextView& text, const BlockRows& block_rows, int threads, const TakeRows& take,
               const ProgressReport& progress)
      : text_(text),
        keys_(text),
        counts_(keys_, threads),
        block_rows_(block_rows),
        threads_(threads),
        take_(take),
        progress_(progress),
        sorter_(threads) {}

  void run() {
    report(0);
    deliver_separators();
    while (next_bucket_ < counts_.buckets()) {
      for (const BlockRange& range : next_ranges())
        build(range);
    }
  }

 private:
  using Rows = Buffer<Pos>;

  void deliver(Rows rows) {
    next_row_ += rows.size();
    take_(SuffixArray(std::move(rows)));
    report(next_row_);
  }

  void report(std::uint64_t rows) const {
    if (!progress_) return;
    progress_("sorting suffixes", static_cast<double>(rows) / static_cast<double>(text_.length()));
  }

  /// The suffixes of the separators come first, in the order of their positions.
  void deliver_separators() {
    const SegmentsView& segments = text_.segments;
    const std::uint64_t most = most_rows();
    for (std::uint64_t first = 0; first < segments.count; first += most) {
      Rows rows(std::min<std::uint64_t>(most, segments.count - first), "suffixes of separators");
      for (std::uint64_t i = 0; i < rows.size(); ++i)
        rows[i] = static_cast<Pos>(segments.starts[first + i + 1] - 1);
      deliver(std::move(rows));
    }
  }

  std::uint64_t most_rows() const { return ranks_ ? block_rows_.ranked : block_rows_.unranked; }

  /// The next buckets that fit one block together, or the parts of one bucket that does not fit.
  std::vector<BlockRange> next_ranges() {
    const std::uint64_t first = next_bucket_;
    std::uint64_t size = 0;
    for (; next_bucket_ < counts_.buckets(); ++next_bucket_) {
      const std::uint64_t count = counts_.of(next_bucket_);
      if (size + count > most_rows()) break;
      size += count;
    }
    if (size > 0 || next_bucket_ == counts_.buckets()) return {{first, next_bucket_, {}, {}, {}}};
    rank_syncmers();
    const SuffixLess<Pos> less(keys_, *ranks_);
    BucketDivision division(keys_, counts_, next_bucket_++, threads_, less);
    return division.parts_of_at_most(most_rows());
  }

  void rank_syncmers() {
    if (ranks_) return;
    Stopwatch watch;
    report(next_row_);
    // The memory of ranges that the sorter has split is not part of block_bytes() here.
    sorter_.release();
    ranks_.emplace(text_, sorter_, [&](std::uint64_t size) {
      rank_memory_ = Rows(size, "ranks of syncmers");
      return rank_memory_.data();
    });
    sorter_.release();
    log_stage(watch, std::to_string(ranks_->size()) + " syncmers ranked");
    report(next_row_);
  }

  void build(const BlockRange& range) {
    Stopwatch watch;
    const std::vector<std::uint64_t> starts = starts_of(range);
    if (starts.back() == 0) return;
    Rows rows(starts.back(), "block of the suffix array");
    collect(range, rows);
    log_stage(watch, std::to_string(rows.size()) + " rows collected");
    if (!sort(range, starts, rows)) {
      // The ranks reduce the memory for blocks, so these suffixes are collected again in smaller
      // blocks.
      rows = {};
      rank_syncmers();
      next_bucket_ = range.first_bucket;
      return;
    }
    log_stage(watch, "sorted");
    deliver(std::move(rows));
  }

  /// Where the rows of each bucket start in the block; the last entry is the size of the block.
  std::vector<std::uint64_t> starts_of(const BlockRange& range) const {
    std::vector<std::uint64_t> starts{0};
    for (std::uint64_t b = range.first_bucket; b < range.end_bucket; ++b) {
      std::uint64_t size = 0;
      for (std::uint64_t s = 0; s < counts_.slices; ++s)
        size += in_slice(range, s, b);
      starts.push_back(starts.back() + size);
    }
    return starts;
  }
  std::uint64_t in_slice(const BlockRange& range, std::uint64_t s, std::uint64_t bucket) const {
    return range.is_part() ? range.in_slices[s] : counts_.in_slice(s, bucket);
  }

  /// Makes `rows` the suffixes of the range, bucket after bucket, in text order within each.
  void collect(const BlockRange& range, Rows& rows) const {
    const std::uint64_t buckets = range.end_bucket - range.first_bucket;
    std::vector<std::uint64_t> next(counts_.slices * buckets);
    std::uint64_t total = 0;
    for (std::uint64_t b = 0; b < buckets; ++b) {
      for (std::uint64_t s = 0; s < counts_.slices; ++s) {
        next[s * buckets + b] = total;
        total += in_slice(range, s, range.first_bucket + b);
      }
    }
    parallel_for(threads_, counts_.slices, [&](std::uint64_t s, int thread) {
      if (thread == 0) report(next_row_);
      std::uint64_t* row = &next[s * buckets];
      for_each_member(range, s, [&](std::uint64_t p, std::uint64_t bucket) {
        rows[row[bucket]++] = static_cast<Pos>(p);
      });
    });
  }

  /// Calls visit(p, b) for the suffixes of the range in a slice, where b counts the buckets of the
  /// range from 0.
  template <class Visit>
  void for_each_member(const BlockRange& range, std::uint64_t s, const Visit& visit) const {
    const std::uint64_t buckets = range.end_bucket - range.first_bucket;
    if (range.is_part()) {
      const SuffixLess<Pos> less(keys_, *ranks_);
      for_each_prefix(keys_, counts_.bits, counts_.slice(s),
                      [&](std::uint64_t p, std::uint64_t prefix) {
                        if (prefix != range.first_bucket) return;
                        if (range.from && less(p, *range.from)) return;
                        if (range.to && !less(p, *range.to)) return;
                        visit(p, 0);
                      });
      return;
    }
    // A branch on whether a suffix is in the range would often be mispredicted, so the suffixes are
    // first listed without one.
    constexpr std::size_t listed = 1024;
    std::array<std::pair<std::uint64_t, std::uint64_t>, listed> list;
    std::size_t size = 0;
    const auto visit_list = [&] {
      for (std::size_t i = 0; i < size; ++i)
        visit(list[i].first, list[i].second);
      size = 0;
    };
    for_each_prefix(keys_, counts_.bits, counts_.slice(s),
                    [&](std::uint64_t p, std::uint64_t prefix) {
                      const std::uint64_t bucket = prefix - range.first_bucket;
                      list[size] = {p, bucket};
                      size += bucket < buckets ? 1 : 0;
                      if (size == listed) [[unlikely]]
                        visit_list();
                    });
    visit_list();
  }

  /// Sorts a block; returns false when it needs the ranks of syncmers and these do not exist yet.
  bool sort(const BlockRange& range, const std::vector<std::uint64_t>& starts, Rows& rows) {
    const std::uint64_t limit = SyncmerRule(text_).depth();
    // Rows count as done once their block is, but who listens may want to end the work before.
    const ProgressReport again = [this](const char*, double) { report(next_row_); };
    const std::thread::id caller = std::this_thread::get_id();
    TieBits ties(rows.size());
    sort_ranges_by_text(
        keys_, sorter_, rows.data(), starts.size() - 1,
        [&](std::uint64_t b) {
          if (std::this_thread::get_id() == caller) report(next_row_);
          return SuffixRange{starts[b], starts[b + 1],
                             counts_.depth(range.first_bucket + b, text_.symbols.bits)};
        },
        limit, ties);
    TiedGroups<Pos> groups(keys_, sorter_, rows.data(), rows.size(), ties, limit, again);
    if (!ranks_)
      groups.refine_within(sa_tuning::keys_per_symbol * static_cast<double>(rows.size()));
    if (groups.empty()) return true;
    if (!ranks_) return false;
    ranks_->sort(groups, again);
    return true;
  }

  TextView text_;
  SuffixKeys keys_;
  PrefixCounts counts_;
  BlockRows block_rows_;
  int threads_;
  const TakeRows& take_;
  const ProgressReport& progress_;
  GroupSorter<Pos> sorter_;
  Rows rank_memory_;                        ///< of ranks_
  std::optional<SyncmerRanks<Pos>> ranks_;  ///< once a block needs them
  std::uint64_t next_row_ = 0;
  std::uint64_t next_bucket_ = 0;
};

/// Bytes that GroupSorter takes to split a range of `range` rows.
std::uint64_t split_bytes(std::uint64_t range, std::uint64_t entry) {
  return range > GroupSorter<std::uint32_t>::wide_limit ? range * (entry + 1) : 0;
}

}  // namespace

SuffixStatistics::SuffixStatistics(const TextView& text, int threads) : length(text.length()) {
  const SuffixKeys keys(text);
  const SyncmerRule rule(text);
  const PrefixCounts counts(keys, threads);
  const int bits = static_cast<int>(text.symbols.bits);
  for (std::uint64_t b = 0; b < counts.buckets(); ++b) {
    const std::uint64_t size = counts.of(b), pair = b >> (counts.bits - 2 * bits);
    widest = std::max(widest, size);
    if (pair >> bits >= (pair & ((1u << bits) - 1))) continue;
    ascents += size;
    widest_ascent = std::max(widest_ascent, size);
  }
  const std::uint64_t slices = static_cast<std::uint64_t>(threads) * sa_tuning::slices_per_thread;
  std::vector<std::uint64_t> chosen(slices);
  parallel_for(threads, slices, [&](std::uint64_t s, int) {
    const Slice slice = slice_of(length, slices, s, 1024);
    std::uint64_t count = 0;
    rule.for_each(slice.begin, slice.end, [&](std::uint64_t) { ++count; });
    chosen[s] = count;
  });
  for (const std::uint64_t count : chosen)
    syncmers += count;
}

BlockBytes block_bytes(const SuffixStatistics& statistics, const BlockRows& rows, int threads,
                       PositionWidth width) {
  const std::uint64_t n = statistics.length, syncmers = statistics.syncmers;
  const std::uint64_t entry = is_wide(n, width) ? 8 : 4;
  const std::uint64_t bit_vector = n / RankBitVector::slice_unit * 32;
  const std::uint64_t fixed =
      static_cast<std::uint64_t>(threads) * (RecordSorter::bytes + (std::uint64_t{8} << 16));
  const auto a_block = [&](std::uint64_t most) {
    const std::uint64_t size = std::min(most, n);
    // Three tie bits per row.
    return size * entry + size * 3 / 8 + split_bytes(std::min(size, statistics.widest), entry);
  };
  BlockBytes bytes;
  bytes.unranked = fixed + a_block(rows.unranked);
  // An entry of the order, a rank and two tie bits per syncmer.
  bytes.ranking = fixed + bit_vector + syncmers * 2 * entry + syncmers / 4 +
                  split_bytes(std::min(syncmers, statistics.widest), entry);
  bytes.ranked = fixed + bit_vector + syncmers * entry + a_block(rows.ranked);
  return bytes;
}

std::uint64_t least_block_rows(std::uint64_t length) {
  return std::max(sa_tuning::least_rows_of_block, divide_up(length, sa_tuning::most_blocks));
}

void build_suffix_blocks(const TextView& text, const BlockRows& block_rows, int threads,
                         PositionWidth width, const TakeRows& take,
                         const ProgressReport& progress) {
  if (is_wide(text.length(), width)) {
    BlockBuilder<std::uint64_t>(text, block_rows, threads, take, progress).run();
  } else {
    BlockBuilder<std::uint32_t>(text, block_rows, threads, take, progress).run();
  }
}

}  // namespace gsx
