// How GroupSorter sorts suffixes by keys from the text.
#pragma once

#include <cstdint>

#include "sa/groups/record_sorter.hpp"
#include "sa/groups/tie_bits.hpp"
#include "sa/suffix_key.hpp"

namespace gsx {

/// A key of GroupSorter: symbols from `depth` on.
struct TextKey {
  SuffixKeys keys;

  std::uint64_t operator()(std::uint64_t p, std::uint64_t depth) const {
    return keys.at(p + depth);
  }
  void prefetch(std::uint64_t p, std::uint64_t depth) const {
    const PackedView& symbols = keys.text.symbols;
    __builtin_prefetch(symbols.bytes + ((p + depth) * symbols.bits >> 3));
  }
  void prefetch_last(std::uint64_t, std::uint64_t) const {}
};

/// Ties are sorted by the next key; where that would be past `limit` symbols, they are marked.
inline auto text_tie(const SuffixKeys& keys, std::uint64_t limit, TieBits& marks) {
  return [keys, limit, &marks](std::uint64_t begin, std::uint64_t end, std::uint64_t depth,
                               std::uint64_t key) -> std::uint64_t {
    if (keys.ended(key)) return order_by_position;
    const std::uint64_t next = depth + keys.symbols;
    if (next < limit) return next;
    marks.mark_group(begin, end);
    return keep_order;
  };
}

}  // namespace gsx
