// Are the counts of a level those of its digits?
#pragma once

#include <cstdint>
#include <optional>

#include "rank/quad_view.hpp"

namespace gsx {

/// Start of the first superblock whose counts, or whose blocks' counts and hole flags, are not what
/// its digits and holes make them; 0 also when the bases are wrong; nothing when all are right.
///
/// After that every rank of the level is the true one, so none leads outside the next level, and
/// the steps of an FM-index lead from no two rows to the same one.
/// Pre: the view's arrays have their sizes; holes ascend and are below size. Any contents are safe.
/// Cost: one pass over the blocks on `threads` threads.
std::optional<std::uint64_t> find_wrong_counts(const QuadView& level, int threads);

}  // namespace gsx
