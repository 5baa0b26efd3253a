// Finds keys in a set by a table of their leading bits.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/bits.hpp"
#include "search/sets/sequence_set.hpp"

namespace gsx {

/// The keys of a set in buckets: by the bits that follow those that all keys share. Memory: 4 to 8
/// bytes per key.
template <unsigned Words>
class KeyLookup {
 public:
  using Key = SequenceKey<Words>;
  static constexpr std::uint64_t none = SequenceSetView<Words>::none;

  /// Pre: the set is not empty, and lives as long as this.
  explicit KeyLookup(const SequenceSetView<Words>& set) : set_(set) {
    const Key& first = set.keys[0];
    const Key& last = set.keys[set.size - 1];
    while (word_ + 1 < Words && first.words[word_] == last.words[word_])
      ++word_;
    const int varied = bit_length(first.words[word_] ^ last.words[word_]);
    const int bits = std::min(varied, bit_length(set.size));
    shift_ = varied - bits;
    mask_ = (std::uint64_t{1} << bits) - 1;
    starts_.assign((std::uint64_t{1} << bits) + 1, 0);
    std::uint64_t bucket = 0;
    for (std::uint64_t i = 0; i < set.size; ++i) {
      for (const std::uint64_t of_key = bucket_of(set.keys[i]); bucket < of_key;)
        starts_[++bucket] = static_cast<std::uint32_t>(i);
    }
    std::fill(starts_.begin() + static_cast<std::ptrdiff_t>(bucket) + 1, starts_.end(),
              static_cast<std::uint32_t>(set.size));
  }

  /// Most bytes of the table, for so many keys.
  static std::uint64_t bytes_for(std::uint64_t keys) {
    return (2 * keys + 1) * sizeof(std::uint32_t);
  }

  /// Where to look for a key. It may be one that differs in what all keys of the set share.
  std::uint64_t bucket_of(const Key& key) const { return key.words[word_] >> shift_ & mask_; }
  void prefetch_bucket(std::uint64_t bucket) const { __builtin_prefetch(&starts_[bucket]); }
  void prefetch_keys(std::uint64_t bucket) const {
    __builtin_prefetch(&set_.keys[starts_[bucket]]);
  }
  /// The place of a key; `none` if the set does not hold it. Cost: log2 of the keys of its bucket.
  std::uint64_t find(const Key& key, std::uint64_t bucket) const {
    const Key* const end = set_.keys + starts_[bucket + 1];
    const Key* const found = std::lower_bound(set_.keys + starts_[bucket], end, key);
    return found != end && *found == key ? static_cast<std::uint64_t>(found - set_.keys) : none;
  }

 private:
  SequenceSetView<Words> set_;
  unsigned word_ = 0;  ///< the first one in which keys differ
  int shift_;
  std::uint64_t mask_;
  std::vector<std::uint32_t> starts_;
};

}  // namespace gsx
