// Searches with mismatches in the way that costs least.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "search/mismatches/mismatch_way.hpp"

namespace gsx {

/// Has several ways to search, asks each for its cost, and takes the cheapest one for all patterns
/// of a call. All ways give the same answers. Logs the way when it is another than that before.
class CheapestSearcher : public MismatchSearcher {
 public:
  void count(const SetPatterns& patterns, const MismatchRequest& request,
             MismatchCounts& counts) const override;
  void stream(const SetPatterns& patterns, const MismatchRequest& request,
              const HitSink& sink) const override;

 protected:
  /// There must be one before anything is asked.
  std::vector<std::unique_ptr<MismatchWay>> ways_;

 private:
  const MismatchWay& choose(const SetPatterns& patterns, const MismatchRequest& request) const;

  mutable std::atomic<const MismatchWay*> logged_{nullptr};
};

}  // namespace gsx
