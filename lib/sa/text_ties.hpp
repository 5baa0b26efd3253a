// How GroupSorter sorts suffixes by keys from the text.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sa/group_sorter.hpp"
#include "sa/row_marks.hpp"
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
};

/// Ties are sorted by the next key; where that would be past `limit` symbols, they are marked.
template <class Pos>
auto text_tie(const SuffixKeys& keys, Pos* rows, std::uint64_t limit, RowMarks& marks) {
  return [keys, rows, limit, &marks](std::uint64_t begin, std::uint64_t end, std::uint64_t depth,
                                     std::uint64_t key) {
    const std::uint64_t next = depth + keys.symbols;
    if (keys.ended(key)) {
      std::sort(rows + begin, rows + end);
    } else if (next < limit) {
      return next;
    } else {
      marks.mark_group(begin, end);
    }
    return GroupSorter<Pos>::settled;
  };
}

}  // namespace gsx
