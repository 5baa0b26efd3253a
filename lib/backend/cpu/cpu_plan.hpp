// What building on the CPU takes, and whether in one piece or in blocks.
#pragma once

#include <optional>

#include "backend/backend.hpp"
#include "sa/block_builder.hpp"

namespace gsx {

/// The way to build within options.memory: in one piece where that fits, else in the largest
/// blocks that do, if these are of use. Throws ResourceError that says how much it takes at least,
/// when there is less.
/// Cost: SuffixStatistics.
BuildPlan plan_cpu_build(const TextView& text, BuildTarget target, const BuildOptions& options);

/// The same for a build: the blocks, or none for one piece. Cost: nothing when memory is ample.
std::optional<BlockRows> cpu_blocks(const TextView& text, BuildTarget target,
                                    const BuildOptions& options);

/// Whether a build in one piece has memory enough to sort a text that repeats itself by phrases,
/// which is fast but takes more than the plan says. Cost: none.
bool has_room_for_phrases(const TextView& text, BuildTarget target, const BuildOptions& options);

}  // namespace gsx
