// What building on the CPU takes, and whether in one piece or in blocks.
#pragma once

#include <optional>
#include <string>

#include "backend/backend.hpp"
#include "sa/block_builder.hpp"

namespace gsx {

/// The way to build within options.memory: in one piece where that fits, else in the largest
/// blocks that do. Throws ResourceError that says how much the smallest blocks need, when there is
/// less.
/// Cost: SuffixStatistics.
BuildPlan plan_cpu_build(const TextView& text, BuildTarget target, const BuildOptions& options);

/// The same for a build: the blocks, or none for one piece. Cost: nothing when memory is ample.
std::optional<BlockRows> cpu_blocks(const TextView& text, BuildTarget target,
                                    const BuildOptions& options);

/// Throws ResourceError when the whole suffix array does not fit options.memory; `use` is what
/// it is needed for.
void require_whole_suffix_array(const TextView& text, const BuildOptions& options,
                                const std::string& use);

}  // namespace gsx
