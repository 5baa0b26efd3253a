// Keys of GroupSorter and RecordSorter that are read from the text.
#pragma once

#include <cstdint>

#include "index/sa/groups/record_sorter.hpp"
#include "index/sa/groups/tie_bits.hpp"
#include "index/sa/suffix_key.hpp"

namespace gsx {

/// The key at depth d of the suffix at p: the symbols from p + d on.
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

/// A tie is sorted by the next key. If that key starts at `limit` or beyond, the tie is marked in
/// `ties` and left as it is.
inline auto text_tie(const SuffixKeys& keys, std::uint64_t limit, TieBits& ties) {
  return [keys, limit, &ties](std::uint64_t begin, std::uint64_t end, std::uint64_t depth,
                              std::uint64_t key) -> std::uint64_t {
    if (keys.ended(key)) return order_by_position;
    const std::uint64_t next = depth + keys.symbols;
    if (next < limit) return next;
    ties.mark_group(begin, end);
    return keep_order;
  };
}

}  // namespace gsx
