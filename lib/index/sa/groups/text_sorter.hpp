// Sorting many groups of suffixes by their text, on all threads.
#pragma once

#include <cstdint>
#include <functional>

#include "base/progress.hpp"
#include "index/sa/groups/group_sorter.hpp"
#include "index/sa/groups/tie_bits.hpp"
#include "index/sa/suffix_key.hpp"

namespace gsx {

/// Rows [begin, end), whose suffixes agree on `depth` symbols.
struct SuffixRange {
  std::uint64_t begin;
  std::uint64_t end;
  std::uint64_t depth;
};

/// Sorts the ranges range_of(0) .. range_of(count - 1) of `suffixes` by their first `limit`
/// symbols, or some more; marks the suffixes that agree on all of these as groups in `ties`.
template <class Pos>
void sort_ranges_by_text(const SuffixKeys& keys, GroupSorter<Pos>& sorter, Pos* suffixes,
                         std::uint64_t count,
                         const std::function<SuffixRange(std::uint64_t)>& range_of,
                         std::uint64_t limit, TieBits& ties);

/// Does the same with the groups of `tied` among `size` suffixes; each group agrees on `depth`
/// symbols. `tied` and `ties` are different objects.
template <class Pos>
void sort_groups_by_text(const SuffixKeys& keys, GroupSorter<Pos>& sorter, Pos* suffixes,
                         std::uint64_t size, const TieBits& tied, std::uint64_t depth,
                         std::uint64_t limit, TieBits& ties, const ProgressReport& progress);

}  // namespace gsx
