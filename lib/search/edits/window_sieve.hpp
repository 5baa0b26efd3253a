// Drops windows without ends, several at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "base/cpu_path.hpp"
#include "search/edits/end_finder.hpp"
#include "search/edits/pattern_masks.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// Drops windows in which no end of a strand has at most `edits` edits, and then merges those
/// between which it costs less to go on than to begin again. May keep windows without ends, but
/// drops none that has one. Pre: windows are sorted, and do not meet.
///
/// * Patterns of DNA of at most 64 symbols: computes columns of eight windows at a time, in a
/// vector,
///   as if the text had no segments. Cost: about 30 operations on a vector per column, of which
///   eight windows have length + edits and those of the widest of them.
/// * Others: has_end_in(), where the windows are narrow enough.
void sieve_windows(const EditTarget& target, const PatternMasksView& pattern, bool reverse,
                   std::uint32_t edits, CpuPath path, std::vector<EndWindow>& windows);

}  // namespace gsx
