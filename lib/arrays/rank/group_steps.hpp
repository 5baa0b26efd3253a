// Steps of several queries at once on a CPU: each waits for memory while the others compute.
#pragma once

#include <cstddef>
#include <cstdint>

#include "arrays/rank/quad_view.hpp"
#include "base/host_device.hpp"

namespace gsx {

/// Queries in flight: each step is made for all of them before the next.
inline constexpr std::size_t query_group = 32;

GSX_HD void prefetch_block(const QuadView& level, std::uint64_t block) {
  __builtin_prefetch(level.blocks + block);
  __builtin_prefetch(level.superblocks + block / QuadSuperblock::blocks);
}
/// Fetches what a rank at position i reads.
GSX_HD void prefetch_rank(const QuadView& level, std::uint64_t i) {
  prefetch_block(level, i / QuadBlock::digits);
}

/// Replaces at[q] by sorted_select(digit_of(q), at[q]) for `count` queries, those in queries[0 ..].
/// Pre: count <= query_group.
template <class DigitOf>
GSX_HD void select_group(const QuadView& level, const std::size_t* queries, std::size_t count,
                         const DigitOf& digit_of, std::uint64_t* at) {
  QuadView::Selection found[query_group];
  std::size_t open[query_group], left = count;  // which go on
  if (level.select_hints != nullptr) {
    for (std::size_t i = 0; i < count; ++i)
      __builtin_prefetch(level.select_hints + at[queries[i]] / QuadView::hint_spacing);
  }
  for (std::size_t i = 0; i < count; ++i) {
    open[i] = i;
    found[i] = level.begin_select(digit_of(queries[i]), at[queries[i]]);
    prefetch_block(level, found[i].next);
  }
  while (left != 0) {
    std::size_t kept = 0;
    for (std::size_t k = 0; k < left; ++k) {
      const std::size_t i = open[k];
      if (level.try_select(found[i], at[queries[i]])) continue;
      prefetch_block(level, found[i].next);
      open[kept++] = i;
    }
    left = kept;
  }
}

/// Calls work(begin, size) for consecutive groups of [0, count).
template <class Work>
GSX_HD void in_groups(std::size_t count, const Work& work) {
  for (std::size_t begin = 0; begin < count; begin += query_group)
    work(begin, count - begin < query_group ? count - begin : query_group);
}

}  // namespace gsx
