// The B* suffixes of a text, sorted by a limited number of symbols.
#pragma once

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "base/buffer.hpp"
#include "base/parallel.hpp"
#include "base/progress.hpp"
#include "index/sa/bstar/alphabetic_code.hpp"
#include "index/sa/bstar/bigram_buckets.hpp"
#include "index/sa/bstar/left_context.hpp"
#include "index/sa/groups/group_sorter.hpp"
#include "index/sa/groups/text_sorter.hpp"
#include "index/sa/groups/tie_bits.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// A B* suffix in its bucket: its key without the bits that the bucket implies and, in place of the
/// lowest 16 bits of the key, its left context.
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

/// Distributes the B* suffixes into buckets by the leading bits of their streams (AlphabeticCode),
/// stores the next bits with them, and sorts each bucket in the cache of one core. The call order
/// is: sort_buckets, sort_large, then whatever sorts the ties, then forget_contexts.
template <class Pos>
class BStarSorter {
 public:
  /// Counts the B* suffixes; `all` are the buckets of all suffixes. Cost: one pass over the text.
  BStarSorter(const TextView& text, const BigramBuckets& all, GroupSorter<Pos>& sorter);
  /// Counts the B* suffixes in `stretches` of the text alone.
  BStarSorter(const TextView& text, const std::vector<Slice>& stretches, const BigramBuckets& all,
              GroupSorter<Pos>& sorter);
  BStarSorter(const BStarSorter&) = delete;

  /// Number of B* suffixes.
  std::uint64_t size() const { return starts_.back(); }
  /// Where the B* suffixes of each bigram are in suffixes().
  const BigramBuckets& bigrams() const { return bigrams_; }
  Pos* suffixes() { return suffixes_.data(); }
  /// About one in 1024 B* suffixes. Whether a suffix is among them depends only on the symbols of
  /// its key, so suffixes that agree on many symbols are all in the sample, or none is.
  const std::vector<Pos>& sample() const { return sample_; }

  /// Entries of `stored` in sort_buckets(): one for each suffix that is not in a bucket too large
  /// for one thread.
  std::uint64_t stored_size() const { return stored_starts_.back(); }

  /// Sorts by up to `limit` symbols and marks in `ties` the suffixes that agree on these. `stored`
  /// is memory for stored_size() entries; `low` and, if contexts are wide, `high` are memory for
  /// the left contexts. Cost: one pass over the text, and 30 ns per suffix when few symbols
  /// separate it.
  void sort_buckets(StoredBStar<Pos>* stored, std::uint8_t* low, std::uint8_t* high,
                    std::uint64_t limit, TieBits& ties, const ProgressReport& progress);

  /// Sorts in the same way the ranges that sort_buckets() left for all threads together. It no
  /// longer needs `stored`.
  void sort_large(std::uint64_t limit, TieBits& ties);

  /// Takes suffixes that were sorted in another way, in place of sort_buckets() and sort_large().
  void take_sorted(Buffer<Pos> suffixes, std::uint8_t* low, std::uint8_t* high) {
    suffixes_ = std::move(suffixes);
    low_ = low;
    high_ = high;
    next_ = {};
  }

  /// The left context of a row, empty_context if it was forgotten.
  LeftContext context(std::uint64_t row) const {
    return static_cast<LeftContext>(low_[row] | (high_ == nullptr ? 0 : high_[row] << 8));
  }
  /// Sets the left contexts of rows.
  void set_contexts(Slice rows, LeftContext context) {
    std::fill(low_ + rows.begin, low_ + rows.end, static_cast<std::uint8_t>(context));
    if (high_ != nullptr)
      std::fill(high_ + rows.begin, high_ + rows.end, static_cast<std::uint8_t>(context >> 8));
  }

  /// Clears the left contexts of the suffixes that moved after sort_buckets(): those of `ties` and
  /// those of large ranges. Whoever needs these contexts reads them from the text.
  void forget_contexts(const TieBits& ties);

 private:
  void count();
  std::vector<std::uint64_t> starts_of(std::vector<Pos>& counts, std::uint64_t buckets) const;
  void distribute(StoredBStar<Pos>* stored);
  template <class OnPart, class OnLarge>
  void for_each_part(StoredBStar<Pos>* stored, std::uint64_t bucket, const OnPart& on_part,
                     const OnLarge& on_large);
  int differing_bits(const StoredBStar<Pos>* stored, std::uint64_t bucket, Slice slots) const;
  bool is_large(std::uint64_t bucket) const {
    return starts_[bucket + 1] - starts_[bucket] > GroupSorter<Pos>::wide_limit;
  }
  SuffixRecord record(std::uint64_t bucket, const StoredBStar<Pos>& bstar) const;

  /// Calls visit(p, stream) for the B* suffixes that thread task s scans.
  template <class Visit>
  void scan(std::uint64_t s, const Visit& visit) const;
  void set_context(std::uint64_t row, LeftContext context) {
    low_[row] = static_cast<std::uint8_t>(context);
    if (high_ != nullptr) high_[row] = static_cast<std::uint8_t>(context >> 8);
  }
  int key_bits() const;
  std::uint64_t bucket_of(std::uint64_t stream) const { return stream >> (64 - bits_); }

  TextView text_;
  AlphabeticCode code_;
  GroupSorter<Pos>& sorter_;
  int threads_;
  std::vector<Slice> stretches_;       ///< of the text, which are sorted
  std::vector<std::uint64_t> before_;  ///< positions in the stretches before each one, and in all
  int bits_;                           ///< of a stream, that choose its bucket
  BigramBuckets bigrams_;
  std::vector<std::uint64_t> starts_;         ///< of the buckets
  std::vector<std::uint64_t> stored_starts_;  ///< of the buckets that are not large, in `stored`
  std::vector<Pos> next_;           ///< where each slice puts its next suffix of each bucket
  std::mutex mutex_;                ///< guards large_
  std::vector<SuffixRange> large_;  ///< rows that all threads sort together
  std::vector<Pos> sample_;
  std::uint8_t* low_ = nullptr;
  std::uint8_t* high_ = nullptr;
  Buffer<Pos> suffixes_;
};

}  // namespace gsx
