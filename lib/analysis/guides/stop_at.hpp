// When to stop looking at a guide.
#pragma once

#include <cstdint>

namespace gsx {

/// Drops guides that have more than `sites` sites with at most `mismatches` mismatches, and without
/// a bulge.
struct StopAt {
  std::uint32_t mismatches = 0;
  std::uint64_t sites = 0;
};

}  // namespace gsx
