// Longest prefix match: which entry of a set of sequences a query begins with.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/host_device.hpp"

namespace gsx {

/// An entry: its first 32 bases, 2 bits each, left-aligned, zero behind its end; the longest other
/// entry that is a prefix of it; and its length.
struct PrefixEntry {
  std::uint64_t head;
  std::uint32_t parent;  ///< or PrefixSetView::none
  std::uint32_t length;
};
static_assert(sizeof(PrefixEntry) == 16);

/// Entries in lexicographic order. The longest entry that is a prefix of a query is the last entry
/// that is not greater than the query, or the nearest of its ancestors that is: every entry between
/// a prefix of the query and the query has that prefix, too. So a match takes a look at the table
/// of leading bases, a binary search among the entries that share them (next to none unless they
/// crowd together), and the ancestors that are too long. The tries of Kaczmarski and Wolant (GPU
/// R-Trie, Concurrency and Computation 31(19), 2019) go down one level per stride instead.
/// Memory: 16 bytes per entry, 8 for each 32 bases beyond 32, and 16 to 64 for the table
/// (less for more than 2^24 entries).
struct PrefixSetView {
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  static constexpr std::uint32_t bases_per_word = 32;

  const PrefixEntry* entries = nullptr;        ///< [size]
  const std::uint32_t* starts = nullptr;       ///< [4^leading + 1]: the first entry of each bucket
  const std::uint64_t* tails = nullptr;        ///< words of entries beyond their heads
  const std::uint32_t* tail_starts = nullptr;  ///< [size], or null if no entry has more than 32
  std::uint32_t size = 0;
  std::uint32_t leading = 0;  ///< bases that the table looks at, 1 to 13
  std::uint32_t longest = 0;  ///< bases of the longest entry

  /// Words of a query: those of the longest entry.
  GSX_HD std::uint32_t words() const { return (longest + bases_per_word - 1) / bases_per_word; }
  std::uint64_t buckets() const { return std::uint64_t{1} << 2 * leading; }
  /// The bucket of a query, by its first word.
  GSX_HD std::uint64_t bucket(std::uint64_t first_word) const {
    return first_word >> (64 - 2 * leading);
  }

  /// The longest entry that is a prefix of the query, or `none`. `query` has words() words as those
  /// of an entry, of its first `length` bases. Pre: size > 0, length <= longest.
  GSX_HD std::uint32_t longest_prefix(const std::uint64_t* query, std::uint32_t length) const {
    const std::uint64_t at = bucket(query[0]);
    std::uint32_t low = starts[at], high = starts[at + 1];
    while (low < high) {
      const std::uint32_t middle = low + (high - low) / 2;
      if (is_at_most(middle, query, length)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low == 0) return none;
    std::uint32_t found = low - 1;
    const std::uint32_t common = common_bases(found, query, length);
    PrefixEntry entry = entries[found];
    while (entry.length > common) {
      found = entry.parent;
      if (found == none) return none;
      entry = entries[found];
    }
    return found;
  }

  /// Word w of an entry; 0 behind its end.
  GSX_HD std::uint64_t word(std::uint32_t entry, std::uint32_t w) const {
    if (w == 0) return entries[entry].head;
    if (w * bases_per_word >= entries[entry].length) return 0;
    return tails[tail_starts[entry] + w - 1];
  }
  /// Bases that an entry and a query have in common at their beginnings.
  GSX_HD std::uint32_t common_bases(std::uint32_t entry, const std::uint64_t* query,
                                    std::uint32_t length) const {
    const std::uint32_t own = entries[entry].length;
    const std::uint32_t most = own < length ? own : length;
    for (std::uint32_t w = 0; w * bases_per_word < most; ++w) {
      const std::uint64_t differ = word(entry, w) ^ query[w];
      if (differ == 0) continue;
      const std::uint32_t same = w * bases_per_word + highest_zeros64(differ) / 2;
      return same < most ? same : most;
    }
    return most;
  }
  /// Whether an entry is not greater than a query; a prefix is less.
  GSX_HD bool is_at_most(std::uint32_t entry, const std::uint64_t* query,
                         std::uint32_t length) const {
    for (std::uint32_t w = 0; w < words(); ++w) {
      const std::uint64_t own = word(entry, w);
      if (own != query[w]) return own < query[w];
    }
    return entries[entry].length <= length;
  }
};
static_assert(std::is_trivially_copyable_v<PrefixSetView>);

}  // namespace gsx
