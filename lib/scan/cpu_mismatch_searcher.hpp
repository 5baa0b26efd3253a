// Searches with mismatches on the CPU, in the way that costs least.
#pragma once

#include <memory>
#include <vector>

#include "machine/cpu_path.hpp"
#include "scan/mismatch_way.hpp"

namespace gsx {

/// Has several ways to search, asks each for its cost, and takes the cheapest one for all patterns
/// of a call. All ways give the same answers.
class CpuMismatchSearcher final : public MismatchSearcher {
 public:
  /// Pre: this CPU has the instructions of `path`; the text is DNA.
  CpuMismatchSearcher(const MismatchTarget& target, int threads, const SearchMemory& memory,
                      CpuPath path);

  void count(const SetPatterns& patterns, const MismatchRequest& request,
             MismatchCounts& counts) const override;
  void stream_hits(const SetPatterns& patterns, const MismatchRequest& request,
                   const HitSink& sink) const override;

 private:
  const MismatchWay& choose(const SetPatterns& patterns, const MismatchRequest& request) const;

  std::vector<std::unique_ptr<MismatchWay>> ways_;
};

}  // namespace gsx
