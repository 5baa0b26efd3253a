// Drops windows without ends, several at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "base/cpu_path.hpp"
#include "search/edits/end_finder.hpp"
#include "search/edits/pattern_masks.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// Whether windows of a pattern can be sieved: it has one word.
inline bool can_be_sieved(const PatternMasksView& pattern) {
  return pattern.words == 1;
}

/// Drops windows in which no end of a strand has at most `edits` edits. Computes columns of eight
/// windows at a time, in a vector, as if the text had no segments, which may keep a window, but
/// drops none that has an end. Keeps wide ones and those near the begin or end of the text, too.
/// Pre: the text is DNA; can_be_sieved(pattern). Cost: about 30 operations on a vector per column,
/// of which eight windows have length + edits and those of the widest of them.
void sieve_windows(const TextView& text, const PatternMasksView& pattern, bool reverse,
                   std::uint32_t edits, CpuPath path, std::vector<EndWindow>& windows);

}  // namespace gsx
