#include "index/sa/bstar/bstar_sorter.hpp"

#include <algorithm>
#include <utility>

#include "base/bits.hpp"
#include "index/sa/bstar/bstar_scan.hpp"
#include "index/sa/groups/partition.hpp"
#include "index/sa/groups/record_sorter.hpp"
#include "index/sa/groups/row_slices.hpp"
#include "index/sa/groups/text_key.hpp"
#include "index/sa/groups/text_sorter.hpp"
#include "index/sa/suffix_key.hpp"
#include "index/sa/tuning.hpp"

namespace gsx {
namespace {

constexpr int tag_bits = 16;
constexpr int valid_packed_bits = 57;
/// The positions that a thread scans are a multiple of this.
constexpr std::uint64_t least_share = 1024;

bool is_sampled(std::uint64_t stream) {
  return stream * 0x9E3779B97F4A7C15u >> (64 - sa_tuning::sample_bits) == 0;
}

/// Swaps stored suffixes so that keys below the returned slots are lower, and keys above higher.
template <class Pos>
Slice partition(StoredBStar<Pos>* stored, Slice slots) {
  const Partition parts = partition_rows(
      slots, [&](std::uint64_t slot) { return stored[slot].key() >> tag_bits; },
      [](std::uint64_t) {},
      [&](std::uint64_t a, std::uint64_t b) { std::swap(stored[a], stored[b]); });
  return {parts.less_end, parts.equal_end};
}

}  // namespace

template <class Pos>
BStarSorter<Pos>::BStarSorter(const TextView& text, const BigramBuckets& all,
                              GroupSorter<Pos>& sorter)
    : BStarSorter(text, {{0, text.length()}}, all, sorter) {}

template <class Pos>
BStarSorter<Pos>::BStarSorter(const TextView& text, const std::vector<Slice>& stretches,
                              const BigramBuckets& all, GroupSorter<Pos>& sorter)
    : text_(text),
      code_(text, all),
      sorter_(sorter),
      threads_(sorter.threads()),
      stretches_(stretches),
      before_{0},
      bigrams_{text.symbols.bits, {}} {
  for (const Slice& stretch : stretches_)
    before_.push_back(before_.back() + stretch.end - stretch.begin);
  bits_ = std::clamp(bit_length(before_.back()) - sa_tuning::bucket_size_bits, 1,
                     sa_tuning::most_bucket_bits);
  count();
}

template <class Pos>
template <class Visit>
void BStarSorter<Pos>::scan(std::uint64_t s, const Visit& visit) const {
  const Slice share =
      slice_of(before_.back(), static_cast<std::uint64_t>(threads_), s, least_share);
  if (share.begin == share.end) return;
  const BStarScan bstars(text_, code_);
  auto k = static_cast<std::size_t>(std::upper_bound(before_.begin(), before_.end(), share.begin) -
                                    before_.begin()) -
           1;
  for (std::uint64_t at = share.begin; at < share.end; at = before_[++k]) {
    const std::uint64_t begin = stretches_[k].begin + (at - before_[k]);
    const std::uint64_t end =
        std::min(stretches_[k].end, stretches_[k].begin + (share.end - before_[k]));
    bstars.for_each({begin, end}, visit);
  }
}

template <class Pos>
void BStarSorter<Pos>::sort_buckets(StoredBStar<Pos>* stored, std::uint8_t* low, std::uint8_t* high,
                                    std::uint64_t limit, TieBits& ties,
                                    const ProgressReport& progress) {
  low_ = low;
  high_ = high;
  suffixes_ = Buffer<Pos>(size(), "suffix array");
  distribute(stored);
  const TextKey keys{SuffixKeys(text_)};
  const auto on_tie = text_tie(keys.keys, limit, ties);
  const auto on_first_tie = [&](std::uint64_t begin, std::uint64_t end,
                                const SuffixRecord& one) -> std::uint64_t {
    const std::uint64_t shared = code_.shared_symbols(one.key, key_bits(), one.position());
    if (shared < limit) return shared;
    ties.mark_group(begin, end);
    return keep_order;
  };
  const auto prefetch = [&](std::uint64_t p) { keys.prefetch(p, 0); };
  parallel_for(threads_, starts_.size() - 1, [&](std::uint64_t b, int thread) {
    RecordSorter& sorter = sorter_.sorter(thread);
    const std::uint64_t first_row = starts_[b] - stored_starts_[b];
    const auto sort_part = [&](Slice slots, int top) {
      const auto for_each = [&](const auto& visit) {
        for (std::uint64_t slot = slots.begin; slot < slots.end; ++slot)
          visit(record(b, stored[slot]));
      };
      const std::uint64_t row = first_row + slots.begin, count = slots.end - slots.begin;
      sorter.sort_first(for_each, count, row, top, prefetch, on_first_tie);
      sorter.sort_groups(keys, on_tie);
      for (std::uint64_t i = 0; i < count; ++i) {
        suffixes_[row + i] = static_cast<Pos>(sorter.records()[i].position());
        set_context(row + i, sorter.records()[i].tag());
      }
    };
    const auto leave = [&](Slice slots) {
      for (std::uint64_t slot = slots.begin; slot < slots.end; ++slot)
        suffixes_[first_row + slot] = static_cast<Pos>(stored[slot].position());
      const SuffixRecord one = record(b, stored[slots.begin]);
      const std::uint64_t shared = code_.shared_symbols(one.key, key_bits(), one.position());
      const std::lock_guard lock(mutex_);
      large_.push_back({first_row + slots.begin, first_row + slots.end, shared});
    };
    for_each_part(stored, b, sort_part, leave);
    if (thread == 0 && progress)
      progress("sorting suffixes", static_cast<double>(starts_[b]) / static_cast<double>(size()));
  });
}

template <class Pos>
void BStarSorter<Pos>::sort_large(std::uint64_t limit, TieBits& ties) {
  for (std::uint64_t b = 0; b + 1 < starts_.size(); ++b) {
    if (!is_large(b)) continue;
    const std::uint64_t shared =
        code_.shared_symbols(b << (64 - bits_), bits_, suffixes_[starts_[b]]);
    large_.push_back({starts_[b], starts_[b + 1], shared});
  }
  std::vector<SuffixRange> ranges;
  for (const SuffixRange& rows : large_) {
    if (rows.depth < limit) {
      ranges.push_back(rows);
    } else {
      ties.mark_group(rows.begin, rows.end);
    }
  }
  sort_ranges_by_text(
      SuffixKeys(text_), sorter_, suffixes_.data(), ranges.size(),
      [&](std::uint64_t i) { return ranges[i]; }, limit, ties);
}

template <class Pos>
void BStarSorter<Pos>::forget_contexts(const TieBits& ties) {
  const auto forget = [&](std::uint64_t row) { set_context(row, empty_context); };
  RowSlices(size(), threads_).for_each([&](Slice slice) { ties.for_each_row(slice, forget); });
  // A row may be both tied and in a large range, so this is a second loop.
  for (const SuffixRange& rows : large_) {
    RowSlices(rows.end - rows.begin, threads_).for_each([&](Slice slice) {
      for (std::uint64_t i = slice.begin; i < slice.end; ++i)
        forget(rows.begin + i);
    });
  }
}

/// Bits of a stream that make a key: those that are valid, and that are stored or implied by the
/// bucket.
template <class Pos>
int BStarSorter<Pos>::key_bits() const {
  return std::min(64 - tag_bits + bits_, code_.is_packed() ? valid_packed_bits : 64);
}

template <class Pos>
void BStarSorter<Pos>::count() {
  const std::uint64_t buckets = std::uint64_t{1} << bits_;
  const auto slices = static_cast<std::uint64_t>(threads_);
  const int bigram_shift = 64 - 2 * static_cast<int>(bigrams_.bits);
  const std::uint64_t bigrams = std::uint64_t{1} << 2 * bigrams_.bits;
  next_.assign(slices * buckets, 0);
  std::vector<Pos> bigram_counts(slices * bigrams, 0);
  const std::uint64_t valid = ~std::uint64_t{0} << (64 - key_bits());
  std::vector<std::vector<Pos>> samples(slices);
  parallel_for(threads_, slices, [&](std::uint64_t s, int) {
    Pos* in_bucket = &next_[s * buckets];
    Pos* in_bigram = &bigram_counts[s * bigrams];
    scan(s, [&](std::uint64_t p, std::uint64_t stream) {
      ++in_bucket[bucket_of(stream)];
      ++in_bigram[text_.symbols.window(p) >> bigram_shift];
      if (is_sampled(stream & valid)) [[unlikely]]
        samples[s].push_back(static_cast<Pos>(p));
    });
  });
  for (const std::vector<Pos>& sample : samples)
    sample_.insert(sample_.end(), sample.begin(), sample.end());
  starts_ = starts_of(next_, buckets);
  bigrams_.starts = starts_of(bigram_counts, bigrams);
  stored_starts_.assign(1, 0);
  for (std::uint64_t b = 0; b < buckets; ++b)
    stored_starts_.push_back(stored_starts_[b] + (is_large(b) ? 0 : starts_[b + 1] - starts_[b]));
}

/// Turns the counts of each slice into its first place in each bucket; returns where the buckets
/// start.
template <class Pos>
std::vector<std::uint64_t> BStarSorter<Pos>::starts_of(std::vector<Pos>& counts,
                                                       std::uint64_t buckets) const {
  std::vector<std::uint64_t> starts(buckets + 1, 0);
  std::uint64_t total = 0;
  for (std::uint64_t b = 0; b < buckets; ++b) {
    for (std::uint64_t i = b; i < counts.size(); i += buckets)
      total += std::exchange(counts[i], static_cast<Pos>(total));
    starts[b + 1] = total;
  }
  return starts;
}

/// Suffixes of large buckets go to their rows at once: all threads will sort them by text.
template <class Pos>
void BStarSorter<Pos>::distribute(StoredBStar<Pos>* stored) {
  const std::uint64_t buckets = std::uint64_t{1} << bits_;
  const std::uint64_t mask = ~std::uint64_t{0} << (64 - key_bits());
  const SegmentStartFilter starts(text_.segments, context_capacity(text_.symbols));
  parallel_for(threads_, static_cast<std::uint64_t>(threads_), [&](std::uint64_t s, int) {
    const LeftContextReader contexts(text_.symbols, starts.view());
    Pos* next = &next_[s * buckets];
    if (stored_size() != size()) {
      scan(s, [&](std::uint64_t p, std::uint64_t stream) {
        const std::uint64_t b = bucket_of(stream), row = next[b]++;
        if (is_large(b)) {
          suffixes_[row] = static_cast<Pos>(p);
        } else {
          stored[row - starts_[b] + stored_starts_[b]].set(
              (stream & mask) << bits_ | contexts.at(p), p);
        }
      });
      return;
    }
    scan(s, [&](std::uint64_t p, std::uint64_t stream) {
      stored[next[bucket_of(stream)]++].set((stream & mask) << bits_ | contexts.at(p), p);
    });
  });
  next_ = {};
}

template <class Pos>
SuffixRecord BStarSorter<Pos>::record(std::uint64_t bucket, const StoredBStar<Pos>& bstar) const {
  const std::uint64_t low = bstar.key();
  return SuffixRecord::of(bucket << (64 - bits_) | low >> tag_bits << (tag_bits - bits_),
                          bstar.position(), static_cast<LeftContext>(low));
}

/// Calls on_part(slots, highest bit in which their keys may differ) for parts of a bucket that fit
/// a RecordSorter, and on_large(slots) for larger parts with a single key.
template <class Pos>
template <class OnPart, class OnLarge>
void BStarSorter<Pos>::for_each_part(StoredBStar<Pos>* stored, std::uint64_t bucket,
                                     const OnPart& on_part, const OnLarge& on_large) {
  std::vector<Slice> stack{{stored_starts_[bucket], stored_starts_[bucket + 1]}};
  int top = 64 - bits_;
  for (; !stack.empty(); top = 0) {
    const Slice slots = stack.back();
    stack.pop_back();
    const std::uint64_t size = slots.end - slots.begin;
    if (size == 0) continue;
    if (size <= RecordSorter::limit) {
      on_part(slots, top != 0 ? top : differing_bits(stored, bucket, slots));
      continue;
    }
    const Slice equal = partition(stored, slots);
    stack.push_back({slots.begin, equal.begin});
    stack.push_back({equal.end, slots.end});
    if (equal.end - equal.begin <= RecordSorter::limit) {
      stack.push_back(equal);
    } else {
      on_large(equal);
    }
  }
}

template <class Pos>
int BStarSorter<Pos>::differing_bits(const StoredBStar<Pos>* stored, std::uint64_t bucket,
                                     Slice slots) const {
  std::uint64_t differing = 1;
  for (std::uint64_t slot = slots.begin + 1; slot < slots.end; ++slot)
    differing |= record(bucket, stored[slot]).key ^ record(bucket, stored[slots.begin]).key;
  return bit_length(differing);
}

template class BStarSorter<std::uint32_t>;
template class BStarSorter<std::uint64_t>;

}  // namespace gsx
