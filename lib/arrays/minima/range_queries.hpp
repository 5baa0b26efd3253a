// Many range minimum queries at once.
#pragma once

#include <cstdint>
#include <span>

#include "arrays/minima/range_minima.hpp"
#include "base/cpu_path.hpp"

namespace gsx {

/// Writes the position of the leftmost minimum of each range. Pre: each range holds a value and
/// ends in the array; positions.size() == ranges.size(). Cost: as RangeMinimaView::leftmost(); what
/// 32 ranges read first is fetched at the same time.
template <class Value>
void leftmost_minima(const RangeMinimaView<Value>& minima, std::span<const ValueRange> ranges,
                     std::span<std::uint64_t> positions, int threads, CpuPath path);

}  // namespace gsx
