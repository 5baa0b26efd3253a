// Searches with edits on the CPU, each pattern in the way that costs least.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "base/cpu_path.hpp"
#include "search/edits/edits.hpp"
#include "search/edits/scan_ends.hpp"
#include "search/edits/seed_ends.hpp"
#include "search/mismatches/thread_share.hpp"

namespace gsx {

enum class EditWay : std::uint8_t { cheapest, scan, seeds };

/// How a CpuEditSearcher works; results do not depend on it. Only tests change it.
struct EditTuning {
  EditWay way = EditWay::cheapest;
  std::uint64_t part = 1 << 18;  ///< symbols that a thread searches at a time, or some more
  EditSeedTuning seeds;
};

/// Has two ways to find ends: reading the text, and looking up pieces in an index. Asks both for
/// the cost of each pattern, and takes the cheaper one. Logs how many went which way when that is
/// not as before.
class CpuEditSearcher final : public EditSearcher {
 public:
  /// Keeps views of the target. Pre: this CPU has the instructions of `path`.
  CpuEditSearcher(const EditTarget& target, int threads, const SearchMemory& memory, CpuPath path,
                  const EditTuning& tuning = {});

  void count(const EditPatterns& patterns, const EditRequest& request,
             EditCounts& counts) const override;
  void stream(const EditPatterns& patterns, const EditRequest& request,
              const EditSink& sink) const override;

 private:
  class Source;

  EditTarget target_;
  SearchMemory memory_;
  EditTuning tuning_;
  EndScan scan_;
  std::optional<EditSeeds> seeds_;
  mutable ThreadShare threads_;
  mutable std::atomic<int> logged_{0};  ///< which ways: 1 for a scan, 2 for seeds
};

}  // namespace gsx
