// The inner loops of searching on the CPU: many searches in flight, so that their cache misses
// overlap.
#pragma once

#include <cstddef>
#include <cstdint>

#include "fm/fm_view.hpp"
#include "machine/cpu_path.hpp"
#include "search/searcher.hpp"

namespace gsx {

/// The loops for one width of positions, compiled for one CpuPath.
template <class Pos>
struct SearchLoops {
  /// Sets intervals[2 i] to the interval of pattern i and intervals[2 i + 1] to that of its reverse
  /// complement, each if asked for; leaves the others alone. Throws CorruptIndexError if ranks lead
  /// outside the index. Cost: per symbol and strand, one cache line per level, or two while the
  /// interval is wide.
  void (*search)(const FmView& fm, const Patterns& patterns, bool forward, bool reverse,
                 Interval<Pos>* intervals);
  /// Sets positions[i] to the text position of the suffix in rows[i]. Throws CorruptIndexError as
  /// above. Cost: about sample_rate cache lines per row and level.
  void (*locate)(const FmView& fm, const Pos* rows, std::uint64_t* positions, std::size_t count);
};

template <class Pos>
SearchLoops<Pos> search_loops(CpuPath path);

}  // namespace gsx
