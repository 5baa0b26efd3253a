// The loops of searching on the CPU: many searches in flight, so that their cache misses overlap.
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
  /// intervals[2 i] = rows of the suffixes that start with pattern i, intervals[2 i + 1] with its
  /// reverse complement, where these are asked for; the others are not touched.
  /// Throws CorruptIndexError for an index whose ranks lead outside it.
  /// Cost: per symbol and strand one cache line a level, or two while the interval is wide.
  void (*search)(const FmView& fm, const Patterns& patterns, bool forward, bool reverse,
                 Interval<Pos>* intervals);
  /// positions[i] = text position of the suffix in rows[i]. Throws CorruptIndexError as above.
  /// Cost: about sample_rate cache lines per row and level.
  void (*locate)(const FmView& fm, const Pos* rows, std::uint64_t* positions, std::size_t count);
};

template <class Pos>
SearchLoops<Pos> search_loops(CpuPath path);

}  // namespace gsx
