// Finds the keys that differ in few symbols by grouping them by what they agree on.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "search/sets/key_bins.hpp"
#include "search/sets/sequence_key.hpp"

namespace gsx {

/// A key in a group: its number in its set, and from which of two sets it is.
template <unsigned Words>
struct GroupItem {
  SequenceKey<Words> key;
  std::uint32_t number_and_side;

  static constexpr std::uint32_t second = std::uint32_t{1} << 31;
  std::uint32_t number() const { return number_and_side & ~second; }
  bool is_second() const { return (number_and_side & second) != 0; }
};

/// The most symbols by which keys are grouped; callers ask for fewer (NeighborRequest).
inline constexpr unsigned most_differing = 3;

/// Symbols cut into runs of nearly equal size.
template <unsigned Words>
using SymbolParts = std::array<SequenceKey<Words>, most_differing + 1>;

/// Cuts symbols into `number` runs, from the first on. Pre: there are as many symbols; at most
/// most_differing + 1 runs.
template <unsigned Words>
SymbolParts<Words> cut_symbols(const SequenceKey<Words>& symbols, unsigned number) {
  SymbolParts<Words> parts{};
  const unsigned all = symbols.count();
  unsigned seen = 0;
  for (unsigned w = 0; w < Words; ++w) {
    for (std::uint64_t word = symbols.words[w]; word != 0; ++seen) {
      const std::uint64_t top = std::uint64_t{1} << (bit_length(word) - 1);
      parts[seen * number / all].words[w] |= top;
      word ^= top;
    }
  }
  return parts;
}

template <unsigned Words>
SequenceKey<Words> without(SequenceKey<Words> symbols, const SequenceKey<Words>& part) {
  for (unsigned w = 0; w < Words; ++w)
    symbols.words[w] &= ~part.words[w];
  return symbols;
}

/// Items of spare space that NeighborGroups keeps from bin to bin, at most.
inline constexpr std::size_t kept_spare = std::size_t{1} << 14;

/// One thread's search. Two keys that differ in at most d symbols agree in one of any d + 1 parts
/// of them. So keys are grouped by each part in turn, and each group by parts of what it has left,
/// until few keys are left to compare, or so few symbols that all pairs are near. A pair is found
/// in the group of the first part in which it agrees, at each level, and in no other one.
template <unsigned Words, class Take>
class NeighborGroups {
 public:
  using Key = SequenceKey<Words>;
  using Item = GroupItem<Words>;

  /// take(item, item) gets each pair. If there are two sets, these are an item of the first set and
  /// one of the second. Items that `rounds` hashes put together are sorted: that ends, whatever the
  /// keys are. Pre: 0 < most <= most_differing.
  NeighborGroups(std::uint32_t bits, unsigned most, bool two_sets, Take take, unsigned rounds = 6)
      : bits_(bits), most_(most), two_sets_(two_sets), take_(std::move(take)), rounds_(rounds) {}

  /// Finds the pairs that agree in parts[which], and in none before. Reorders the items. Pre: the
  /// parts are most + 1 and hold all symbols in which any two items differ.
  void find_by_part(Item* items, std::uint64_t count, const SymbolParts<Words>& parts,
                    unsigned which) {
    Key rest{};
    differing_.assign(parts.begin(), parts.begin() + which);
    for (unsigned p = 0; p <= most_; ++p)
      if (p != which) rest = rest | parts[p];
    group(items, count, parts[which], rest, {parts[which], which}, 0);
    if (spare_.size() > kept_spare) spare_ = {};  // the next large bin may be another thread's
  }
  /// Compares all items.
  void compare_all(const Item* items, std::uint64_t count) { compare(items, count, {}); }

 private:
  /// Groups of at most so many items are compared at once.
  static constexpr std::uint64_t compared = 16;
  static constexpr int most_bin_bits = 11;
  /// Which pairs are found in a group: they agree in some symbols, and differ in each of the first
  /// `parts` of differing_.
  struct Rule {
    Key agreed{};
    std::size_t parts = 0;
  };

  /// Finds pairs of items that differ in `free` only.
  void solve(Item* items, std::uint64_t count, const Key& free, const Rule& rule) {
    if (count <= compared) return compare(items, count, rule);
    if (two_sets_ && has_one_side(items, count)) return;
    const Key varied = varying(items, count) & free;
    if (varied.count() <= most_) return compare(items, count, rule);
    const SymbolParts<Words> parts = cut_symbols(varied, most_ + 1);
    for (unsigned p = 0; p <= most_; ++p) {
      differing_.resize(rule.parts);
      differing_.insert(differing_.end(), parts.begin(), parts.begin() + p);
      group(items, count, parts[p], without(varied, parts[p]),
            {rule.agreed | parts[p], rule.parts + p}, 0);
    }
  }

  /// Splits items by what they have in `part`.
  void group(Item* items, std::uint64_t count, const Key& part, const Key& rest, const Rule& rule,
             unsigned round) {
    if (count <= compared) return compare(items, count, rule);
    if (round >= rounds_) return group_by_sorting(items, count, part, rest, rule);
    const KeyBins<Words> bins(part, bits_, std::min(most_bin_bits, bit_length(count)),
                              most_bin_bits, round);
    std::array<std::uint32_t, (1 << most_bin_bits) + 1> ends;
    spread(items, count, bins, ends.data());
    std::uint64_t begin = 0;
    for (std::uint64_t b = 0; b < bins.number(); ++b) {
      const std::uint64_t end = ends[b], size = end - begin;
      if (size > compared) {
        if (bins.exact() || !(varying(items + begin, size) & part).any()) {
          solve(items + begin, size, rest, rule);
        } else {
          group(items + begin, size, part, rest, rule, round + 1);
        }
      } else if (size > 1) {
        compare(items + begin, size, rule);
      }
      begin = end;
    }
  }

  /// Puts items into their bins; bin b ends at ends[b].
  void spread(Item* items, std::uint64_t count, const KeyBins<Words>& bins, std::uint32_t* ends) {
    if (spare_.size() < count) {
      spare_ = {};
      spare_.resize(count);
    }
    std::fill_n(ends, bins.number() + 1, 0u);
    for (std::uint64_t i = 0; i < count; ++i)
      ++ends[bins.of(items[i].key) + 1];
    for (std::uint64_t b = 1; b < bins.number(); ++b)
      ends[b] += ends[b - 1];
    for (std::uint64_t i = 0; i < count; ++i)
      spare_[ends[bins.of(items[i].key)]++] = items[i];
    std::copy_n(spare_.begin(), count, items);
  }

  void group_by_sorting(Item* items, std::uint64_t count, const Key& part, const Key& rest,
                        const Rule& rule) {
    const Key mask = whole_symbols(part, bits_);
    std::sort(items, items + count,
              [&](const Item& a, const Item& b) { return (a.key & mask) < (b.key & mask); });
    for (std::uint64_t begin = 0, end; begin < count; begin = end) {
      for (end = begin + 1; end < count && (items[end].key & mask) == (items[begin].key & mask);)
        ++end;
      solve(items + begin, end - begin, rest, rule);
    }
  }

  /// Whether a pair with these differing symbols is found by the rule.
  bool fits(const Key& differ, const Rule& rule) const {
    if ((differ & rule.agreed).any()) return false;
    for (std::size_t p = 0; p < rule.parts; ++p)
      if (!(differ & differing_[p]).any()) return false;
    return true;
  }

  void compare(const Item* items, std::uint64_t count, const Rule& rule) {
    for (std::uint64_t i = 0; i + 1 < count; ++i) {
      for (std::uint64_t j = i + 1; j < count; ++j) {
        const Key differ = differing_symbols(items[i].key, items[j].key, bits_);
        if (differ.has_more_than(most_) || !fits(differ, rule)) continue;
        if (!two_sets_) {
          take_(items[i], items[j]);
        } else if (items[i].is_second() != items[j].is_second()) {
          const bool turned = items[i].is_second();
          take_(items[turned ? j : i], items[turned ? i : j]);
        }
      }
    }
  }

  Key varying(const Item* items, std::uint64_t count) const {
    Key bits{};
    for (std::uint64_t i = 1; i < count; ++i)
      for (unsigned w = 0; w < Words; ++w)
        bits.words[w] |= items[i].key.words[w] ^ items[0].key.words[w];
    return differing_symbols(bits, Key{}, bits_);
  }
  static bool has_one_side(const Item* items, std::uint64_t count) {
    for (std::uint64_t i = 1; i < count; ++i)
      if (items[i].is_second() != items[0].is_second()) return false;
    return true;
  }

  std::uint32_t bits_;
  unsigned most_;
  bool two_sets_;
  Take take_;
  unsigned rounds_;
  std::vector<Key>
      differing_;  ///< of the parts on the way to the group, those before the one chosen
  std::vector<Item> spare_;
};

}  // namespace gsx
