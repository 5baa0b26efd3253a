// Searches with mismatches on the CPU, in the way that costs least.
#pragma once

#include "machine/cpu_path.hpp"
#include "scan/cheapest_searcher.hpp"

namespace gsx {

/// The ways of the CPU.
class CpuMismatchSearcher final : public CheapestSearcher {
 public:
  /// Pre: this CPU has the instructions of `path`; the text is DNA.
  CpuMismatchSearcher(const MismatchTarget& target, int threads, const SearchMemory& memory,
                      CpuPath path);
};

}  // namespace gsx
