// Finds the entries of a whitelist at distance 1 from sequences, by looking up all that differ in
// one symbol.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "search/sets/key_lookup.hpp"

namespace gsx {

/// One thread's search.
template <unsigned Words>
class NearEntries {
 public:
  using Key = SequenceKey<Words>;

  NearEntries(const KeyLookup<Words>& lookup, SequenceShape shape)
      : lookup_(lookup), shape_(shape) {}

  /// Keys that are looked up for a sequence.
  static std::uint64_t lookups(SequenceShape shape) {
    return std::uint64_t{shape.length} * (letters(shape) - 1);
  }

  /// The entries that differ from the key in one symbol; valid until the next call.
  const std::vector<std::uint32_t>& of(const Key& key) {
    entries_.clear();
    std::size_t filled = 0;
    for (std::uint32_t i = 0; i < shape_.length; ++i) {
      const std::uint32_t word = shape_.word_of(i), shift = shape_.shift_of(i);
      const std::uint64_t mask = (std::uint64_t{1} << shape_.bits) - 1;
      const std::uint64_t own = key.words[word] >> shift & mask;
      for (std::uint64_t code = 0; code < letters(shape_); ++code) {
        if (code == own) continue;
        Key& changed = keys_[filled];
        changed = key;
        changed.words[word] ^= (code ^ own) << shift;
        buckets_[filled] = lookup_.bucket_of(changed);
        lookup_.prefetch_bucket(buckets_[filled]);
        if (++filled == group) look_up(std::exchange(filled, 0));
      }
    }
    look_up(filled);
    return entries_;
  }

 private:
  /// Keys that are looked up at the same time.
  static constexpr std::size_t group = 48;

  static std::uint64_t letters(SequenceShape shape) { return shape.bits == 2 ? 4 : 5; }

  void look_up(std::size_t filled) {
    for (std::size_t k = 0; k < filled; ++k)
      lookup_.prefetch_keys(buckets_[k]);
    for (std::size_t k = 0; k < filled; ++k) {
      const std::uint64_t entry = lookup_.find(keys_[k], buckets_[k]);
      if (entry != KeyLookup<Words>::none) entries_.push_back(static_cast<std::uint32_t>(entry));
    }
  }

  const KeyLookup<Words>& lookup_;
  SequenceShape shape_;
  std::array<Key, group> keys_;
  std::array<std::uint64_t, group> buckets_;
  std::vector<std::uint32_t> entries_;
};

}  // namespace gsx
