#include "search/edits/cpu_edit_searcher.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "search/edits/edit_delivery.hpp"

namespace gsx {

/// The ends of one call.
class CpuEditSearcher::Source final : public EndSource {
 public:
  explicit Source(const CpuEditSearcher& searcher)
      : searcher_(searcher), call_(searcher.threads_) {}

  int threads() const override { return call_.threads(); }
  int most_threads() const override { return call_.most(); }
  void find(const EditPatterns& patterns, const EditRequest& request,
            std::span<EndCollector> collectors) override {
    std::vector<std::uint32_t> scanned;
    for (std::size_t i = 0; i < patterns.size(); ++i)
      if (can_be_asked_with_edits(patterns[i], searcher_.target_.dna, request.edits))
        scanned.push_back(static_cast<std::uint32_t>(i));
    if (!scanned.empty()) searcher_.scan_.find(patterns, scanned, request, call_, collectors);
  }
  void find_in_order(const EditPatterns& pattern, const EditRequest& request,
                     EndCollector& collector, const EndsFound& found) override {
    searcher_.scan_.find_in_order(pattern, request, collector, found);
  }

 private:
  const CpuEditSearcher& searcher_;
  ThreadShare::Call call_;
};

CpuEditSearcher::CpuEditSearcher(const EditTarget& target, int threads, const SearchMemory& memory,
                                 CpuPath path, const EditTuning& tuning)
    : target_(target),
      memory_(memory),
      scan_(target, path, tuning.part),
      tuning_(tuning),
      threads_(threads) {}

CpuEditSearcher::~CpuEditSearcher() = default;

void CpuEditSearcher::count(const EditPatterns& patterns, const EditRequest& request,
                            EditCounts& counts) const {
  counts.reset(patterns.size(), request.edits);
  Source source(*this);
  for (std::size_t first = 0; first < patterns.size();) {
    const std::size_t end = end_of_edit_group(patterns, first, request);
    std::vector<EndCollector> collectors(static_cast<std::size_t>(source.most_threads()),
                                         EndCollector(end - first, request.edits, nullptr, 0));
    source.find(patterns.some(first, end), request, collectors);
    EditCounts some;
    some.reset(end - first, request.edits);
    for (const EndCollector& collector : collectors)
      some.add(collector.counts());
    counts.put(first, some);
    first = end;
  }
  if (request.best) keep_best_counts(counts);
}

void CpuEditSearcher::stream(const EditPatterns& patterns, const EditRequest& request,
                             const EditSink& sink) const {
  Source source(*this);
  deliver_edits(source, target_, patterns, request, memory_, sink);
}

}  // namespace gsx
