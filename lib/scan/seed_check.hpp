// The inner loop of searching with seeds on the CPU: compares places with the packed text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "machine/cpu_path.hpp"
#include "scan/seed_patterns.hpp"
#include "scan/strand_masks.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// A place where one piece of a strand has no mismatch.
struct SeedPlace {
  std::uint64_t position;    ///< where the pattern would start
  std::uint32_t strand;      ///< number in SeedPatterns::strands()
  std::uint32_t mismatches;  ///< set by check(): above the most allowed if this is no place, or is
                             ///< reported from another piece
  std::uint64_t piece;       ///< number in SeedPatterns::pieces()
};

/// The loops, compiled for one CpuPath.
struct SeedLoops {
  /// Counts the mismatches of each place. Of the pieces of a strand without a mismatch at a place,
  /// only the first reports it. Pre: position + length <= text.length(). Cost: the cache lines of
  /// the text, which are fetched ahead.
  void (*check)(const TextView& text, const SeedPatterns& patterns, std::uint32_t most,
                std::span<SeedPlace> places);
};

SeedLoops seed_loops(CpuPath path);

}  // namespace gsx
