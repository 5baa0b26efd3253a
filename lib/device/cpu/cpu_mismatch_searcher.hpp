// Searches with mismatches on the CPU, in the way that costs least.
#pragma once

#include <memory>

#include "base/cpu_path.hpp"
#include "search/mismatches/cheapest_searcher.hpp"

namespace gsx {

/// The ways of the CPU.
class CpuMismatchSearcher final : public CheapestSearcher {
 public:
  /// Pre: this CPU has the instructions of `path`; the text is DNA.
  CpuMismatchSearcher(const MismatchTarget& target, int threads, const SearchMemory& memory,
                      CpuPath path);
};

/// A searcher that has these ways, and tables of PAM sites where memory.site_tables allows them.
std::unique_ptr<MismatchSearcher> make_cpu_mismatch_searcher(const MismatchTarget& target,
                                                             int threads,
                                                             const SearchMemory& memory,
                                                             CpuPath path);

}  // namespace gsx
