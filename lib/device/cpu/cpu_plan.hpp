// What building on the CPU takes, with how many threads, and whether in one piece or in blocks.
#pragma once

#include <optional>

#include "device/backend.hpp"
#include "index/sa/block_builder.hpp"

namespace gsx {

/// The way to build within options.memory: in one piece where that fits, else in the largest
/// blocks that do, if these are of use, and else with half the threads, and so on. If a
/// hard limit has no room for one thread, throws ResourceError that says how much that takes; where
/// another limit has none, warns and plans as if it had.
/// Cost: SuffixStatistics.
BuildPlan plan_cpu_build(const TextView& text, BuildTarget target, const BuildOptions& options);

/// How a build is done.
struct CpuBuild {
  BuildOptions options;           ///< with as many threads as have room
  std::optional<BlockRows> rows;  ///< of blocks; none for one piece
};

/// How a build with the plan of plan_cpu_build() is done. Throws what that throws. Cost: nothing
/// when memory is ample.
CpuBuild cpu_build(const TextView& text, BuildTarget target, const BuildOptions& options);

/// Whether a build in one piece has memory enough to sort a text that repeats itself by phrases,
/// which is fast but takes more than the plan says. Cost: none.
bool has_room_for_phrases(const TextView& text, BuildTarget target, const BuildOptions& options);

}  // namespace gsx
