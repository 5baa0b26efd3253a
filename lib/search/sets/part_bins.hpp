// All keys of one or two sets, spread over bins by a part of their symbols.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/buffer.hpp"
#include "base/parallel.hpp"
#include "search/sets/neighbor_groups.hpp"
#include "search/sets/sequence_set.hpp"

namespace gsx {

/// The keys of a set, and of another one behind them, which may be empty.
template <unsigned Words>
struct KeysOfSets {
  SequenceSetView<Words> first;
  SequenceSetView<Words> second;

  std::uint64_t size() const { return first.size + second.size; }
  const SequenceKey<Words>& key(std::uint64_t i) const {
    return i < first.size ? first.keys[i] : second.keys[i - first.size];
  }
  GroupItem<Words> item(std::uint64_t i) const {
    if (i < first.size) return {first.keys[i], static_cast<std::uint32_t>(i)};
    return {second.keys[i - first.size],
            static_cast<std::uint32_t>(i - first.size) | GroupItem<Words>::second};
  }
};

/// Gives the bins of a part to threads. Memory: that of as many items as it is allowed to hold, or
/// as the largest bin has.
template <unsigned Words>
class PartBins {
 public:
  using Item = GroupItem<Words>;

  PartBins(const KeysOfSets<Words>& keys, const SequenceKey<Words>& part, int threads)
      : keys_(keys), threads_(threads), bins_(part, keys.first.shape.bits, wanted(keys), most, 0) {
    places_.resize(static_cast<std::size_t>(threads));
    sizes_.assign(bins_.number(), 0);
    for_slices([&](std::uint64_t s, Slice slice) {
      places_[s].assign(bins_.number(), 0);
      for (std::uint64_t i = slice.begin; i < slice.end; ++i)
        ++places_[s][bins_.of(keys_.key(i))];
    });
    for (const auto& of_slice : places_)
      for (std::uint64_t b = 0; b < bins_.number(); ++b)
        sizes_[b] += of_slice[b];
  }

  /// Bytes that it takes besides those of items.
  static std::uint64_t fixed_bytes(const KeysOfSets<Words>& keys, int threads) {
    const int bits = std::min(most, wanted(keys) + static_cast<int>(keys.first.shape.bits));
    return (std::uint64_t{2} * static_cast<std::uint64_t>(threads) + 2) * sizeof(std::uint64_t)
           << bits;
  }
  /// Items of the largest bin.
  std::uint64_t largest() const { return *std::max_element(sizes_.begin(), sizes_.end()); }

  /// Calls work(items, count, thread) for each bin with at least two items, some at a time.
  template <class Work>
  void for_each(std::uint64_t most_items, const Work& work) {
    Buffer<Item> items(std::min(keys_.size(), std::max(most_items, largest())),
                       "groups of sequences");
    std::vector<std::uint64_t> begins(bins_.number() + 1);
    for (std::uint64_t begin = 0, end = 0; begin < bins_.number(); begin = end) {
      std::uint64_t held = 0;
      for (; end < bins_.number() && held + sizes_[end] <= items.size(); ++end) {
        begins[end] = held;
        held += sizes_[end];
      }
      begins[end] = held;
      fill(items, begin, end, begins);
      parallel_for(threads_, end - begin, [&](std::uint64_t b, int thread) {
        const std::uint64_t at = begins[begin + b], size = sizes_[begin + b];
        if (size > 1) work(items.data() + at, size, thread);
      });
    }
  }

 private:
  static constexpr int most = 12;  ///< bits
  /// Items of a bin, so that two copies of them fit in the cache of a core.
  static constexpr std::uint64_t items_in_bin = 2048;

  static int wanted(const KeysOfSets<Words>& keys) {
    return std::clamp(bit_length(keys.size() / items_in_bin), 1, most);
  }

  template <class Work>
  void for_slices(const Work& work) const {
    parallel_for(threads_, places_.size(),
                 [&](std::uint64_t s, int) { work(s, slice_of(keys_.size(), places_.size(), s)); });
  }

  /// Puts the items of bins [from, to) where they begin.
  void fill(Buffer<Item>& items, std::uint64_t from, std::uint64_t to,
            const std::vector<std::uint64_t>& begins) const {
    std::vector<std::vector<std::uint64_t>> places(places_.size());
    for (std::uint64_t b = from; b < to; ++b) {
      std::uint64_t at = begins[b];
      for (std::size_t s = 0; s < places_.size(); ++s) {
        places[s].push_back(at);
        at += places_[s][b];
      }
    }
    const bool all = from == 0 && to == bins_.number();
    for_slices([&](std::uint64_t s, Slice slice) {
      std::uint64_t* const place = places[s].data();
      for (std::uint64_t i = slice.begin; i < slice.end; ++i) {
        const std::uint64_t bin = bins_.of(keys_.key(i));
        if (all || (bin >= from && bin < to)) items[place[bin - from]++] = keys_.item(i);
      }
    });
  }

  KeysOfSets<Words> keys_;
  int threads_;
  KeyBins<Words> bins_;
  std::vector<std::vector<std::uint64_t>> places_;  ///< of each slice of the keys, how many per bin
  std::vector<std::uint64_t> sizes_;                ///< of the bins
};

}  // namespace gsx
