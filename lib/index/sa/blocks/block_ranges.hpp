// Which suffixes make a block: those of some prefix buckets, or a part of one bucket.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

#include "base/bits.hpp"
#include "base/parallel.hpp"
#include "index/sa/groups/partition.hpp"
#include "index/sa/groups/prefix_buckets.hpp"
#include "index/sa/suffix_key.hpp"
#include "index/sa/tuning.hpp"

namespace gsx {

/// Calls visit(p, prefix) for each position of [slice.begin, slice.end) that is not a separator.
/// The prefix is the leading `bits` bits of the key at p.
template <class Visit>
void for_each_prefix(const SuffixKeys& keys, int bits, Slice slice, const Visit& visit) {
  if (slice.begin == slice.end) return;
  const SegmentsView& segments = keys.text.segments;
  const PackedView& symbols = keys.text.symbols;
  const int shift = 64 - bits;
  // One load from the text serves all suffixes whose prefix lies in it.
  const std::uint64_t per_load =
      (PackedView::max_bits - static_cast<unsigned>(bits)) / symbols.bits;
  std::uint64_t segment = segments.segment_at(slice.begin);
  for (std::uint64_t p = slice.begin; p < slice.end; ++p, ++segment) {
    const std::uint64_t separator = segments.starts[segment + 1] - 1;
    const std::uint64_t stop = std::min(separator, slice.end);
    const std::uint64_t whole = std::min(stop, separator - std::min<std::uint64_t>(separator, 16));
    while (p + per_load <= whole) {
      std::uint64_t window = symbols.window(p);
      for (const std::uint64_t end = p + per_load; p < end; ++p, window <<= symbols.bits)
        visit(p, window >> shift);
    }
    for (; p < stop; ++p)
      visit(p, keys.at(p, separator) >> shift);
  }
}

/// The number of suffixes in each prefix bucket, for each slice of the text.
class PrefixCounts {
 public:
  /// One slice per thread. Cost: one pass over the text.
  PrefixCounts(const SuffixKeys& keys, int threads)
      : bits(PrefixBuckets::bits_for_length(keys.text.length(), keys.text.symbols.bits)),
        slices(static_cast<std::uint64_t>(threads)),
        length_(keys.text.length()),
        counts_(slices << bits) {
    parallel_for(threads, slices, [&](std::uint64_t s, int) {
      std::uint64_t* counts = &counts_[s << bits];
      for_each_prefix(keys, bits, slice(s),
                      [&](std::uint64_t, std::uint64_t prefix) { ++counts[prefix]; });
    });
  }

  std::uint64_t buckets() const { return std::uint64_t{1} << bits; }
  /// Symbols on which all suffixes of a bucket agree; 0 if some may end within the prefix.
  std::uint64_t depth(std::uint64_t bucket, std::uint32_t symbol_bits) const {
    const int symbols = bits / static_cast<int>(symbol_bits);
    const std::uint64_t last = bucket >> (bits - symbols * static_cast<int>(symbol_bits));
    // After the end of a segment a prefix continues with zeros.
    return (last & ((1u << symbol_bits) - 1)) == 0 ? 0 : static_cast<std::uint64_t>(symbols);
  }
  Slice slice(std::uint64_t s) const { return slice_of(length_, slices, s, 1024); }
  std::uint64_t in_slice(std::uint64_t s, std::uint64_t bucket) const {
    return counts_[(s << bits) + bucket];
  }
  std::uint64_t of(std::uint64_t bucket) const {
    std::uint64_t total = 0;
    for (std::uint64_t s = 0; s < slices; ++s)
      total += in_slice(s, bucket);
    return total;
  }

  const int bits;
  const std::uint64_t slices;

 private:
  std::uint64_t length_;
  std::vector<std::uint64_t> counts_;
};

/// The suffixes of buckets [first_bucket, end_bucket). A range of a single bucket may be limited to
/// the suffixes from suffix `from` on and before suffix `to`.
struct BlockRange {
  std::uint64_t first_bucket = 0;
  std::uint64_t end_bucket = 0;
  std::optional<std::uint64_t> from;
  std::optional<std::uint64_t> to;
  std::vector<std::uint64_t> in_slices;  ///< of a part of a bucket: suffixes in each slice

  bool is_part() const { return from.has_value() || to.has_value(); }
};

/// Divides a bucket at sampled suffixes, the splitters, into parts of limited size. less(p, q)
/// compares suffixes. Cost: two passes over the text, and some comparisons per suffix of the
/// bucket.
template <class Less>
class BucketDivision {
 public:
  BucketDivision(const SuffixKeys& keys, const PrefixCounts& counts, std::uint64_t bucket,
                 int threads, const Less& less)
      : keys_(keys), counts_(counts), bucket_(bucket), threads_(threads), less_(less) {}

  /// The parts in order, each of at most `limit` suffixes.
  std::vector<BlockRange> parts_of_at_most(std::uint64_t limit) {
    const std::uint64_t size = counts_.of(bucket_);
    // A sample only estimates sizes, so the parts aim at half the limit. If one is still too large,
    // which is unlikely, twice as many splitters are chosen.
    std::uint64_t parts = divide_up(2 * size, limit);
    for (int attempt = 0;; ++attempt, parts *= 2) {
      choose_splitters(size, std::min(parts, size));
      count_parts();
      if (attempt == most_attempts || *std::max_element(sizes_.begin(), sizes_.end()) <= limit) {
        return merged(limit);
      }
    }
  }

 private:
  static constexpr int most_attempts = 6;

  /// Calls visit(p, s) for each suffix of the bucket, in each slice s in text order.
  template <class Visit>
  void for_each(const Visit& visit) const {
    parallel_for(threads_, counts_.slices, [&](std::uint64_t s, int) {
      for_each_prefix(keys_, counts_.bits, counts_.slice(s),
                      [&](std::uint64_t p, std::uint64_t prefix) {
                        if (prefix == bucket_) visit(p, s);
                      });
    });
  }

  void choose_splitters(std::uint64_t size, std::uint64_t parts) {
    const std::uint64_t stride =
        std::max<std::uint64_t>(1, size / (parts * sa_tuning::samples_per_part));
    std::vector<std::uint64_t> next(counts_.slices);  // the suffix's number in the bucket
    for (std::uint64_t s = 1; s < counts_.slices; ++s)
      next[s] = next[s - 1] + counts_.in_slice(s - 1, bucket_);
    std::vector<std::uint64_t> sample(divide_up(size, stride), none);
    for_each([&](std::uint64_t p, std::uint64_t s) {
      const std::uint64_t number = next[s]++, group = number / stride;
      if (number % stride == uneven_step(group, stride)) sample[group] = p;
    });
    std::erase(sample, none);
    std::sort(sample.begin(), sample.end(), less_);
    splitters_.clear();
    for (std::uint64_t i = 1; i < parts; ++i) {
      const std::uint64_t chosen = sample[i * sample.size() / parts];
      if (splitters_.empty() || splitters_.back() != chosen) splitters_.push_back(chosen);
    }
  }

  void count_parts() {
    const std::uint64_t parts = splitters_.size() + 1;
    counted_.assign(counts_.slices * parts, 0);
    for_each([&](std::uint64_t p, std::uint64_t s) {
      const auto above = std::upper_bound(splitters_.begin(), splitters_.end(), p, less_);
      ++counted_[s * parts + static_cast<std::uint64_t>(above - splitters_.begin())];
    });
    sizes_.assign(parts, 0);
    for (std::uint64_t i = 0; i < counted_.size(); ++i)
      sizes_[i % parts] += counted_[i];
  }

  /// Joins neighbouring parts while they fit the limit together.
  std::vector<BlockRange> merged(std::uint64_t limit) const {
    std::vector<BlockRange> ranges;
    const std::uint64_t parts = sizes_.size();
    for (std::uint64_t begin = 0; begin < parts;) {
      std::uint64_t end = begin + 1, total = sizes_[begin];
      while (end < parts && total + sizes_[end] <= limit)
        total += sizes_[end++];
      BlockRange range{bucket_, bucket_ + 1, {}, {}, {}};
      if (begin > 0) range.from = splitters_[begin - 1];
      if (end < parts) range.to = splitters_[end - 1];
      for (std::uint64_t s = 0; s < counts_.slices; ++s) {
        const auto* first = &counted_[s * parts];
        range.in_slices.push_back(std::accumulate(first + begin, first + end, std::uint64_t{0}));
      }
      ranges.push_back(std::move(range));
      begin = end;
    }
    return ranges;
  }

  static constexpr std::uint64_t none = ~std::uint64_t{0};

  const SuffixKeys& keys_;
  const PrefixCounts& counts_;
  std::uint64_t bucket_;
  int threads_;
  const Less& less_;
  std::vector<std::uint64_t> splitters_;  ///< part i is from splitter i - 1 on, before splitter i
  std::vector<std::uint64_t> counted_;    ///< by slice, then part
  std::vector<std::uint64_t> sizes_;      ///< of parts
};

}  // namespace gsx
