#include "search/edits/cpu_edit_searcher.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "base/log.hpp"
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
    Choice choice = choose(patterns, request);
    const std::size_t chosen = choice.scanned.size();
    if (!choice.sought.empty()) {
      searcher_.seeds_->find(patterns, choice.sought, choice.scan_costs, request, call_, collectors,
                             choice.scanned);
    }
    log(choice, chosen, request);
    if (!choice.scanned.empty())
      searcher_.scan_.find(patterns, choice.scanned, request, call_, collectors);
  }

  void find_in_order(const EditPatterns& pattern, const EditRequest& request,
                     EndCollector& collector, const EndsFound& found) override {
    searcher_.scan_.find_in_order(pattern, request, collector, found);
  }

 private:
  struct Choice {
    std::vector<std::uint32_t> scanned;
    std::vector<std::uint32_t> sought;  ///< by seeds
    std::vector<double> scan_costs;     ///< of these
  };

  Choice choose(const EditPatterns& patterns, const EditRequest& request) const {
    Choice choice;
    const EditWay way = searcher_.tuning_.way;
    double scan_cost = 0, seed_cost = 0;
    std::size_t last_length = 0;  // of a pattern of single symbols, whose costs these are
    for (std::size_t i = 0; i < patterns.size(); ++i) {
      const std::span<const std::uint8_t> pattern = patterns[i];
      if (!can_be_asked_with_edits(pattern, searcher_.target_.dna, request.edits)) continue;
      const auto number = static_cast<std::uint32_t>(i);
      if (!searcher_.seeds_ || way == EditWay::scan) {
        choice.scanned.push_back(number);
        continue;
      }
      const bool plain = searcher_.target_.dna && is_plain(pattern);
      if (!plain || pattern.size() != last_length) {
        scan_cost = searcher_.scan_.cost(pattern, request);
        seed_cost = searcher_.seeds_->cost(pattern, request);
        last_length = plain ? pattern.size() : 0;
      }
      if (seed_cost > scan_cost && way == EditWay::cheapest) {
        choice.scanned.push_back(number);
      } else {
        choice.sought.push_back(number);
        choice.scan_costs.push_back(scan_cost);
      }
    }
    return choice;
  }

  /// Logs the ways if they are others than before. `chosen` patterns were left to a scan at once.
  void log(const Choice& choice, std::size_t chosen, const EditRequest& request) const {
    const int ways = (choice.scanned.empty() ? 0 : 1) + (choice.sought.empty() ? 0 : 2);
    if (searcher_.logged_.exchange(ways, std::memory_order_relaxed) == ways) return;
    gsx::log().debug(
        "patterns with up to {} edits: {} by scan, {} by seeds, of which {} were left "
        "to a scan",
        request.edits, chosen, choice.sought.size(), choice.scanned.size() - chosen);
  }

  const CpuEditSearcher& searcher_;
  ThreadShare::Call call_;
};

CpuEditSearcher::CpuEditSearcher(const EditTarget& target, int threads, const SearchMemory& memory,
                                 CpuPath path, const EditTuning& tuning)
    : target_(target),
      memory_(memory),
      tuning_(tuning),
      scan_(target, path, tuning.part),
      threads_(threads) {
  if (target.index != nullptr)
    seeds_.emplace(*target.index, target.dna, memory, path, tuning.seeds);
}

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
