// Rows of a suffix array cut into groups whose suffixes agree on some symbols.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "arrays/minima/growing_array.hpp"
#include "base/memory_growth.hpp"
#include "index/lcp/row_prefixes.hpp"

namespace gsx {

/// Cuts the rows of a suffix array, which come in order, some at a time, into groups: the rows
/// whose suffixes agree on `least` symbols stand together. Keeps the rows of the last group, to
/// which more may come. Memory: 8 bytes for each of these rows, 12 of wide positions.
template <class Pos>
class RowGroups {
 public:
  /// Pre: least >= 1. Asks `require` while the last group grows.
  explicit RowGroups(std::uint64_t least, RequireMemory require = {})
      : least_(least), growth_(std::move(require)) {}

  /// Adds rows. lcps[i] is what rows i - 1 and i have in common, or less if that is still `least`
  /// or more. Calls on_group(rows, lcps, count) for each group of two rows and more that is
  /// complete, on any thread; lcps[0] is that of the group's first row with the row before.
  template <class OnGroup>
  void add(const Pos* rows, const std::uint32_t* lcps, std::uint64_t count, int threads,
           const OnGroup& on_group) {
    const auto begins = [&](std::uint64_t i) { return lcps[i] < least_; };
    std::uint64_t first = 0, last = count;
    while (first < count && !begins(first))
      ++first;
    keep(rows, lcps, 0, first);
    if (first == count) return;
    finish(on_group);
    while (!begins(last - 1))
      --last;
    --last;
    for_each_row_slice(first, last, threads, [&](std::uint64_t begin, std::uint64_t end) {
      while (begin < end && !begins(begin))
        ++begin;  // belongs to a group that begins in an earlier slice
      for (std::uint64_t i = begin; i < end;) {
        std::uint64_t next = i + 1;
        while (!begins(next))
          ++next;
        if (next - i > 1) on_group(rows + i, lcps + i, next - i);
        i = next;
      }
    });
    keep(rows, lcps, last, count);
  }

  /// Calls on_group() for the last group. Pre: add() has had all rows.
  template <class OnGroup>
  void finish(const OnGroup& on_group) {
    const GrowingArray<Pos> rows = std::move(rows_);
    const GrowingArray<std::uint32_t> lcps = std::move(lcps_);
    if (rows.size() > 1) on_group(rows.span().data(), lcps.span().data(), rows.size());
  }

 private:
  void keep(const Pos* rows, const std::uint32_t* lcps, std::uint64_t begin, std::uint64_t end) {
    rows_.append({rows + begin, rows + end});
    lcps_.append({lcps + begin, lcps + end});
    growth_.grown_to(rows_.size() * (sizeof(Pos) + sizeof(std::uint32_t)));
  }

  std::uint64_t least_;
  MemoryGrowth growth_;
  GrowingArray<Pos> rows_;
  GrowingArray<std::uint32_t> lcps_;
};

}  // namespace gsx
