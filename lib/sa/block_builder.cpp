#include "sa/block_builder.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "base/log.hpp"
#include "machine/resources.hpp"
#include "sa/blocks/block_ranges.hpp"
#include "sa/groups/group_sorter.hpp"
#include "sa/groups/text_sorter.hpp"
#include "sa/groups/tie_bits.hpp"
#include "sa/ranks/syncmer_ranks.hpp"
#include "sa/suffix_key.hpp"

namespace gsx {
namespace {

/// Slices of rows a thread: small enough to balance, large enough not to show.
constexpr std::uint64_t slices_per_thread = 64;
/// Fetches a row that ties may cost before samples are ranked for them.
constexpr double fetches_per_row = 0.4;
/// Fewer keys than this at a time are not worth another pass over the tied rows.
constexpr std::uint64_t least_keys = 4;

/// The order of suffixes, compared one by one.
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
    return ranks_.key()(p, 0) < ranks_.key()(q, 0);
  }

 private:
  const SuffixKeys& keys_;
  std::uint64_t depth_;
  const SyncmerRanks<Pos>& ranks_;
};

template <class Pos>
class BlockBuilder {
 public:
  BlockBuilder(const TextView& text, const BlockRows& block_rows, int threads,
               const OnSuffixBlock& on_block, const ProgressReport& progress)
      : text_(text),
        keys_(text),
        counts_(keys_, threads),
        block_rows_(block_rows),
        threads_(threads),
        on_block_(on_block),
        progress_(progress),
        sorter_(threads) {}

  void run() {
    report(0);
    give_separators();
    while (next_bucket_ < counts_.buckets()) {
      for (const BlockRange& range : next_ranges())
        build(range);
    }
  }

 private:
  using Rows = Buffer<Pos>;

  void give(const Pos* rows, std::uint64_t size) {
    SuffixBlock block;
    block.first_row = next_row_;
    block.size = size;
    if constexpr (sizeof(Pos) == 4) {
      block.narrow = rows;
    } else {
      block.wide = rows;
    }
    on_block_(block);
    next_row_ += size;
    report(next_row_);
  }

  void report(std::uint64_t rows) const {
    if (!progress_) return;
    progress_("sorting suffixes", static_cast<double>(rows) / static_cast<double>(text_.length()));
  }

  /// The separators' own suffixes come first, in the order of their positions.
  void give_separators() {
    const SegmentsView& segments = text_.segments;
    Rows rows(std::min(most_rows(), segments.count), "suffixes of separators");
    for (std::uint64_t first = 0; first < segments.count; first += rows.size()) {
      const std::uint64_t size = std::min<std::uint64_t>(rows.size(), segments.count - first);
      for (std::uint64_t i = 0; i < size; ++i)
        rows[i] = static_cast<Pos>(segments.starts[first + i + 1] - 1);
      give(rows.data(), size);
    }
  }

  std::uint64_t most_rows() const { return ranks_ ? block_rows_.ranked : block_rows_.unranked; }

  /// The next buckets that make a block, or the parts of a bucket that is more than one.
  std::vector<BlockRange> next_ranges() {
    const std::uint64_t first = next_bucket_;
    std::uint64_t size = 0;
    for (; next_bucket_ < counts_.buckets(); ++next_bucket_) {
      const std::uint64_t count = counts_.of(next_bucket_);
      if (size + count > most_rows()) break;
      size += count;
    }
    if (size > 0 || next_bucket_ == counts_.buckets()) return {{first, next_bucket_, {}, {}, {}}};
    rank_samples();
    const SuffixLess<Pos> less(keys_, *ranks_);
    BucketDivision division(keys_, counts_, next_bucket_++, threads_, less);
    return division.at_most(most_rows());
  }

  void rank_samples() {
    if (ranks_) return;
    Stopwatch watch;
    // What splitting wide ranges has taken is given back before and afterwards.
    sorter_.release();
    ranks_.emplace(text_, sorter_, [&](std::uint64_t size) {
      room_ = Rows(size, "ranks of samples");
      return room_.data();
    });
    sorter_.release();
    log().debug("suffix array: {} samples ranked in {:.3f} s", ranks_->size(), watch.lap());
  }

  void build(const BlockRange& range) {
    Stopwatch watch;
    const std::vector<std::uint64_t> starts = starts_of(range);
    if (starts.back() == 0) return;
    Rows rows(starts.back(), "block of the suffix array");
    collect(range, rows);
    const double collected = watch.lap();
    if (!sort(range, starts, rows)) {
      // The ranks take memory of the blocks: the same suffixes again, in smaller ones.
      rows = {};
      rank_samples();
      next_bucket_ = range.first_bucket;
      return;
    }
    log().debug("suffix array: {} rows collected in {:.3f} s, sorted in {:.3f} s", rows.size(),
                collected, watch.lap());
    give(rows.data(), rows.size());
  }

  /// Where each bucket's rows start within the block, and how many there are in all.
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

  /// rows = the block's suffixes by bucket, in text order.
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
    parallel_for(threads_, counts_.slices, [&](std::uint64_t s, int) {
      std::uint64_t* row = &next[s * buckets];
      for_each_member(range, s, [&](std::uint64_t p, std::uint64_t bucket) {
        rows[row[bucket]++] = static_cast<Pos>(p);
      });
    });
  }

  /// Calls visit(p, number of its bucket in the range) for the range's suffixes in a slice.
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
    // Whether a suffix is in the range is not foreseeable: those that are, are listed without a
    // branch first.
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

  /// False when samples are needed that are not ranked yet.
  bool sort(const BlockRange& range, const std::vector<std::uint64_t>& starts, Rows& rows) {
    const std::uint32_t symbol_bits = text_.symbols.bits;
    const std::uint64_t depth = SyncmerRule(text_).depth();
    TieBits tied(rows.size());
    sorter_.sort(
        rows.data(), starts.size() - 1,
        [&](std::uint64_t i, int, const auto& sort) {
          if (starts[i + 1] - starts[i] < 2) return;
          sort(starts[i], starts[i + 1], counts_.depth(range.first_bucket + i, symbol_bits));
        },
        TextKey{keys_}, text_tie(keys_, depth, tied));
    return sort_tied(rows, tied, depth);
  }

  /// As Builder::sort_tied, for a block.
  bool sort_tied(Rows& rows, const TieBits& first_tied, std::uint64_t depth) {
    TieBits later(0);
    const TieBits* tied = &first_tied;
    double budget = fetches_per_row * static_cast<double>(rows.size());
    for (std::uint64_t keys = least_keys;; keys *= 2) {
      const std::uint64_t left = tied->count(threads_);
      if (left == 0) return true;
      const auto afford = static_cast<std::uint64_t>(budget / static_cast<double>(left));
      if (ranks_ || afford < least_keys) break;
      keys = std::min(keys, afford);
      budget -= static_cast<double>(keys * left);
      TieBits still(rows.size());
      sort_groups(rows, *tied, depth, TextKey{keys_},
                  text_tie(keys_, depth + keys * keys_.symbols, still));
      later = std::move(still);
      tied = &later;
      depth += keys * keys_.symbols;
    }
    if (!ranks_) return false;
    sort_groups(rows, *tied, 0, ranks_->key(),
                [](std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t) -> std::uint64_t {
                  return keep_order;
                });
    return true;
  }

  template <class KeyAt, class OnTie>
  void sort_groups(Rows& rows, const TieBits& tied, std::uint64_t depth, const KeyAt& key_at,
                   const OnTie& on_tie) {
    const std::uint64_t slices = static_cast<std::uint64_t>(threads_) * slices_per_thread;
    sorter_.sort(
        rows.data(), slices,
        [&](std::uint64_t s, int, const auto& sort) {
          tied.for_each_group(
              slice_of(rows.size(), slices, s, 64),
              [&](std::uint64_t begin, std::uint64_t end) { sort(begin, end, depth); });
        },
        key_at, on_tie);
  }

  TextView text_;
  SuffixKeys keys_;
  PrefixCounts counts_;
  BlockRows block_rows_;
  int threads_;
  const OnSuffixBlock& on_block_;
  const ProgressReport& progress_;
  GroupSorter<Pos> sorter_;
  Rows room_;                               ///< of the next
  std::optional<SyncmerRanks<Pos>> ranks_;  ///< once they are needed
  std::uint64_t next_row_ = 0;
  std::uint64_t next_bucket_ = 0;
};

std::uint64_t widened(std::uint64_t range, std::uint64_t entry) {
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
  const std::uint64_t slices = static_cast<std::uint64_t>(threads) * slices_per_thread;
  std::vector<std::uint64_t> chosen(slices);
  parallel_for(threads, slices, [&](std::uint64_t s, int) {
    const Slice slice = slice_of(length, slices, s, 1024);
    std::uint64_t count = 0;
    rule.for_each(slice.begin, slice.end, [&](std::uint64_t) { ++count; });
    chosen[s] = count;
  });
  for (const std::uint64_t count : chosen)
    samples += count;
}

BlockBytes block_bytes(const SuffixStatistics& statistics, const BlockRows& rows, int threads,
                       PositionWidth width) {
  const std::uint64_t n = statistics.length, samples = statistics.samples;
  const std::uint64_t entry = is_wide(n, width) ? 8 : 4;
  const std::uint64_t marks = n / RankBitVector::slice_unit * 32;
  const std::uint64_t fixed =
      static_cast<std::uint64_t>(threads) * (RecordSorter::bytes + (std::uint64_t{8} << 16));
  const auto a_block = [&](std::uint64_t most) {
    const std::uint64_t size = std::min(most, n);
    // Three marks a row.
    return size * entry + size * 3 / 8 + widened(std::min(size, statistics.widest), entry);
  };
  BlockBytes bytes;
  bytes.unranked = fixed + a_block(rows.unranked);
  // Order, ranks and two marks a sample.
  bytes.ranking = fixed + marks + samples * 2 * entry + samples / 4 +
                  widened(std::min(samples, statistics.widest), entry);
  bytes.ranked = fixed + marks + samples * entry + a_block(rows.ranked);
  return bytes;
}

SuffixBlock block_of(const SuffixArray& rows) {
  SuffixBlock block;
  block.size = rows.size();
  rows.visit([&]<class Pos>(const Pos* entries) {
    if constexpr (sizeof(Pos) == 4) {
      block.narrow = entries;
    } else {
      block.wide = entries;
    }
  });
  return block;
}

std::uint64_t least_block_rows(std::uint64_t length) {
  constexpr std::uint64_t most_blocks = 64;
  return std::max<std::uint64_t>(std::uint64_t{1} << 16, divide_up(length, most_blocks));
}

void build_suffix_blocks(const TextView& text, const BlockRows& block_rows, int threads,
                         PositionWidth width, const OnSuffixBlock& on_block,
                         const ProgressReport& progress) {
  if (is_wide(text.length(), width)) {
    BlockBuilder<std::uint64_t>(text, block_rows, threads, on_block, progress).run();
  } else {
    BlockBuilder<std::uint32_t>(text, block_rows, threads, on_block, progress).run();
  }
}

}  // namespace gsx
