#include "sa/bstar/bstar_sorter.hpp"

#include <algorithm>
#include <utility>

#include "base/bits.hpp"
#include "sa/bstar/bstar_scan.hpp"
#include "sa/groups/partition.hpp"
#include "sa/groups/record_sorter.hpp"
#include "sa/groups/row_slices.hpp"
#include "sa/groups/text_key.hpp"
#include "sa/groups/text_sorter.hpp"
#include "sa/suffix_key.hpp"
#include "sa/tuning.hpp"

namespace gsx {
namespace {

constexpr int tag_bits = 16;
constexpr int valid_packed_bits = 57;

/// Swaps stored suffixes so that keys below the returned rows are lower, and keys above higher.
template <class Pos>
Slice partition(StoredBStar<Pos>* stored, Slice rows) {
  const Partition parts = partition_rows(
      rows, [&](std::uint64_t row) { return stored[row].key() >> tag_bits; }, [](std::uint64_t) {},
      [&](std::uint64_t a, std::uint64_t b) { std::swap(stored[a], stored[b]); });
  return {parts.less_end, parts.equal_end};
}

}  // namespace

template <class Pos>
BStarSorter<Pos>::BStarSorter(const TextView& text, const BigramBuckets& all,
                              GroupSorter<Pos>& sorter)
    : text_(text),
      code_(text, all),
      sorter_(sorter),
      threads_(sorter.threads()),
      bits_(std::clamp(bit_length(text.length()) - sa_tuning::bucket_size_bits, 1,
                       sa_tuning::most_bucket_bits)),
      bigrams_{text.symbols.bits, {}} {
  count();
}

template <class Pos>
void BStarSorter<Pos>::sort_buckets(StoredBStar<Pos>* stored, std::uint8_t* low, std::uint8_t* high,
                                    std::uint64_t limit, TieBits& ties,
                                    const ProgressReport& progress) {
  low_ = low;
  high_ = high;
  distribute(stored);
  suffixes_ = Buffer<Pos>(size(), "suffix array");
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
    for_each_part(stored, b, [&](Slice rows, int top) {
      const auto for_each = [&](const auto& visit) {
        for (std::uint64_t row = rows.begin; row < rows.end; ++row)
          visit(record(b, stored[row]));
      };
      sorter.sort_first(for_each, rows.end - rows.begin, rows.begin, top, prefetch, on_first_tie);
      sorter.sort_groups(keys, on_tie);
      for (std::uint64_t row = rows.begin; row < rows.end; ++row) {
        suffixes_[row] = static_cast<Pos>(sorter.records()[row - rows.begin].position());
        set_context(row, sorter.records()[row - rows.begin].tag());
      }
    });
    if (thread == 0 && progress)
      progress("sorting suffixes", static_cast<double>(starts_[b]) / static_cast<double>(size()));
  });
}

template <class Pos>
void BStarSorter<Pos>::sort_large(std::uint64_t limit, TieBits& ties) {
  sort_ranges_by_text(
      SuffixKeys(text_), sorter_, suffixes_.data(), large_.size(),
      [&](std::uint64_t i) {
        return SuffixRange{large_[i].begin, large_[i].end, 0};
      },
      limit, ties);
}

template <class Pos>
void BStarSorter<Pos>::forget_contexts(const TieBits& ties) {
  const auto forget = [&](std::uint64_t row) { set_context(row, empty_context); };
  RowSlices(size(), threads_).for_each([&](Slice slice) { ties.for_each_row(slice, forget); });
  // A row may be both tied and in a large range, so this is a second loop.
  for (const Slice& rows : large_) {
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
  parallel_for(threads_, slices, [&](std::uint64_t s, int) {
    Pos* in_bucket = &next_[s * buckets];
    Pos* in_bigram = &bigram_counts[s * bigrams];
    BStarScan(text_, code_).for_each(slice(s), [&](std::uint64_t p, std::uint64_t stream) {
      ++in_bucket[bucket_of(stream)];
      ++in_bigram[text_.symbols.window(p) >> bigram_shift];
    });
  });
  starts_ = starts_of(next_, buckets);
  bigrams_.starts = starts_of(bigram_counts, bigrams);
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

template <class Pos>
void BStarSorter<Pos>::distribute(StoredBStar<Pos>* stored) {
  const std::uint64_t buckets = std::uint64_t{1} << bits_;
  const std::uint64_t mask = ~std::uint64_t{0} << (64 - key_bits());
  const SegmentStartFilter starts(text_.segments, context_capacity(text_.symbols));
  parallel_for(threads_, static_cast<std::uint64_t>(threads_), [&](std::uint64_t s, int) {
    const LeftContextReader contexts(text_.symbols, starts.view());
    Pos* next = &next_[s * buckets];
    BStarScan(text_, code_).for_each(slice(s), [&](std::uint64_t p, std::uint64_t stream) {
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

/// Calls on_part(rows, highest bit in which their keys may differ) for parts of a bucket that fit a
/// RecordSorter. Leaves two kinds of parts for all threads: those too large for one thread, and
/// large ones with a single key.
template <class Pos>
template <class OnPart>
void BStarSorter<Pos>::for_each_part(StoredBStar<Pos>* stored, std::uint64_t bucket,
                                     const OnPart& on_part) {
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

template <class Pos>
int BStarSorter<Pos>::differing_bits(const StoredBStar<Pos>* stored, std::uint64_t bucket,
                                     Slice rows) const {
  std::uint64_t differing = 1;
  for (std::uint64_t row = rows.begin + 1; row < rows.end; ++row)
    differing |= record(bucket, stored[row]).key ^ record(bucket, stored[rows.begin]).key;
  return bit_length(differing);
}

template <class Pos>
void BStarSorter<Pos>::leave(const StoredBStar<Pos>* stored, Slice rows) {
  for (std::uint64_t row = rows.begin; row < rows.end; ++row)
    suffixes_[row] = static_cast<Pos>(stored[row].position());
  const std::lock_guard lock(mutex_);
  large_.push_back(rows);
}

template class BStarSorter<std::uint32_t>;
template class BStarSorter<std::uint64_t>;

}  // namespace gsx
