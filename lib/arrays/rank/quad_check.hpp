// Checks the counts of a level against its digits.
#pragma once

#include <cstdint>
#include <optional>

#include "arrays/rank/quad_view.hpp"

namespace gsx {

/// Start of the first superblock whose counts, or whose blocks' counts and hole flags, do not agree
/// with its digits and holes; 0 also if the bases are wrong; nothing if all are right.
///
/// If all are right, every rank of the level is true: none leads outside the next level, and LF
/// leads no two rows to the same one. Pre: the arrays of the view have their sizes; holes ascend
/// and are below size. Any contents are safe. Cost: one pass over the blocks on `threads` threads.
std::optional<std::uint64_t> find_wrong_counts(const QuadView& level, int threads);

}  // namespace gsx
