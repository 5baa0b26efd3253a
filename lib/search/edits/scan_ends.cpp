#include "search/edits/scan_ends.hpp"

#include <algorithm>

#include "base/parallel.hpp"

namespace gsx {
namespace {

/// Seconds for a step of a column word, measured on one core.
constexpr double step_cost = 3e-9;

double column_cost(std::uint64_t length, std::uint32_t edits) {
  return step_cost *
         static_cast<double>(std::min<std::uint64_t>((length + 63) / 64, edits / 64 + 1));
}

}  // namespace

double EndScan::cost(std::span<const std::uint8_t> pattern, const EditRequest& request) const {
  const double strands = request.strands == Strands::both && target_.dna ? 2 : 1;
  return strands * static_cast<double>(target_.text.length()) *
         column_cost(pattern.size(), request.edits);
}

double EndScan::start_cost() const {
  return 0;
}

void EndScan::find(const EditPatterns& patterns, std::span<const std::uint32_t> which,
                   const EditRequest& request, const ThreadShare::Call& call,
                   std::span<EndCollector> collectors) const {
  std::vector<PatternMasks> masks;
  for (const std::uint32_t i : which)
    masks.emplace_back(patterns[i], target_.dna);
  const std::uint64_t part = part_, parts = (target_.text.length() + part - 1) / part;
  parallel_for(call.threads(), parts, [&](std::uint64_t task, int thread) {
    EndFinder finder(target_.text, request);
    const EndWindow window{task * part, std::min(target_.text.length(), (task + 1) * part)};
    for (std::size_t i = 0; i < which.size(); ++i) {
      for (const bool reverse : {false, true}) {
        if (!is_searched(request.strands, target_.dna, reverse)) continue;
        finder.find({which[i], masks[i].view()}, reverse, window, EndsOf::floors_that_begin,
                    collectors[static_cast<std::size_t>(thread)]);
      }
    }
  });
}

void EndScan::find_within(const SoughtPattern& pattern, bool reverse, const EndWindow& window,
                          EndFinder& finder, EndCollector& collector) const {
  finder.find(pattern, reverse, window, EndsOf::floors_that_end, collector);
}

}  // namespace gsx
